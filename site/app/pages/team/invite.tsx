import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toasts.tsx'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { InviteForm, type MadeInvitation } from './invite-form.tsx'

/** Creates an invitation. A link is shown once; a mail is only confirmed. */
export const Invite = ({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) => {
  const { team } = useLocale().words
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
        <LinkReady url={made.url} expiresAt={made.expiresAt} onClose={close} />
      )}
    </Dialog>
  )
}

const LinkReady = ({ url, expiresAt, onClose }: { url: string; expiresAt: number; onClose(): void }) => {
  const { language, words } = useLocale()
  const { team } = words
  return (
    <>
      <p>{team.invitedText(momentText(expiresAt, language))}</p>
      <p className="created-link mono" translate="no">
        {url}
      </p>
      <div className="actions">
        <Button onClick={onClose}>{team.done}</Button>
        <CopyButton look="primary" text={url} autoFocus>
          {team.copyLink}
        </CopyButton>
      </div>
    </>
  )
}
