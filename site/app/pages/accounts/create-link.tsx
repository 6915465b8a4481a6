import { useState } from 'react'
import { useWords } from '../../admin-words-context.tsx'
import { CreatedLink } from '../../components/created-link.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CreateLinkForm, type MadeLink, type WantedLink } from './create-link-form.tsx'

/** Creates a one-time link for the owner to pass on. */
export const CreateLink = ({ wanted, onClose }: { wanted: WantedLink | null; onClose(): void }) => {
  const { admin } = useWords()
  const [made, setMade] = useState<MadeLink | null>(null)
  const close = (): void => {
    setMade(null)
    onClose()
  }
  return (
    <Dialog isOpen={wanted !== null} title={made === null ? admin.makeLink : admin.readyTitle} onClose={close}>
      {wanted === null ? null : made === null ? (
        <CreateLinkForm wanted={wanted} onMade={setMade} onClose={close} />
      ) : (
        <CreatedLink
          url={made.url}
          expiresAt={made.expiresAt}
          text={(until) => admin.readyText(made.email, until)}
          onClose={close}
        />
      )}
    </Dialog>
  )
}
