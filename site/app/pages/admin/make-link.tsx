import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { momentText } from '../../time/moments.ts'
import { useSpoken } from '../../words-context.tsx'
import { MakeLinkForm } from './make-link-form.tsx'

export type LinkKind = 'invitation' | 'password_reset' | 'email_verification'
export type WantedLink = { kind: LinkKind; email: string }
export type MadeLink = { url: string; expiresAt: number; email: string }

/** A one-time link that the owner hands over: chosen, made, copied. */
export const MakeLink = ({ wanted, onClose }: { wanted: WantedLink | null; onClose(): void }) => {
  const { admin } = useSpoken().words
  const [made, setMade] = useState<MadeLink | null>(null)
  const close = (): void => {
    setMade(null)
    onClose()
  }
  return (
    <Dialog isOpen={wanted !== null} title={made === null ? admin.dialogTitle : admin.readyTitle} onClose={close}>
      {wanted === null ? null : made === null ? (
        <MakeLinkForm wanted={wanted} onMade={setMade} onClose={close} />
      ) : (
        <LinkReady made={made} onClose={close} />
      )}
    </Dialog>
  )
}

const LinkReady = ({ made, onClose }: { made: MadeLink; onClose(): void }) => {
  const { language, words } = useSpoken()
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
