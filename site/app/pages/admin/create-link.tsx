import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { type CreatedLink, CreateLinkForm, type WantedLink } from './create-link-form.tsx'

/** Creates a one-time link for the owner to pass on. */
export const CreateLink = ({ wanted, onClose }: { wanted: WantedLink | null; onClose(): void }) => {
  const { admin } = useLocale().words
  const [made, setMade] = useState<CreatedLink | null>(null)
  const close = (): void => {
    setMade(null)
    onClose()
  }
  return (
    <Dialog isOpen={wanted !== null} title={made === null ? admin.dialogTitle : admin.readyTitle} onClose={close}>
      {wanted === null ? null : made === null ? (
        <CreateLinkForm wanted={wanted} onMade={setMade} onClose={close} />
      ) : (
        <LinkReady made={made} onClose={close} />
      )}
    </Dialog>
  )
}

const LinkReady = ({ made, onClose }: { made: CreatedLink; onClose(): void }) => {
  const { language, words } = useLocale()
  const { admin } = words
  return (
    <>
      <p>{admin.readyText(made.email, momentText(made.expiresAt, language))}</p>
      <p className="created-link mono" translate="no">
        {made.url}
      </p>
      <div className="actions">
        <Button onClick={onClose}>{admin.done}</Button>
        <CopyButton look="primary" text={made.url} autoFocus>
          {admin.copyLink}
        </CopyButton>
      </div>
    </>
  )
}
