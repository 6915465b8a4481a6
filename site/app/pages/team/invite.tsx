import { useState } from 'react'
import { CreatedLink } from '../../components/created-link.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { InviteForm, type MadeInvitation } from './invite-form.tsx'

/** Creates an invitation. A link is shown once; a mail is only confirmed. */
export const Invite = ({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) => {
  const { team } = useWords()
  const toast = useToast()
  const [made, setMade] = useState<{ url: string; expiresAt: number } | null>(null)
  const close = (): void => {
    setMade(null)
    onClose()
  }
  const onMade = ({ url, expiresAt, email }: MadeInvitation): void => {
    if (url !== null) setMade({ url, expiresAt })
    else {
      toast(team.invitationSent(email))
      close()
    }
  }
  return (
    <Dialog isOpen={isOpen} title={made === null ? team.inviteTitle : team.invitedTitle} onClose={close}>
      {made === null ? (
        <InviteForm onMade={onMade} onClose={close} />
      ) : (
        <CreatedLink url={made.url} expiresAt={made.expiresAt} text={team.invitedText} onClose={close} />
      )}
    </Dialog>
  )
}
