import { momentText } from '../time/moments.ts'
import { useLocale } from '../words-context.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

type CreatedLinkProps = {
  url: string
  expiresAt: number
  text(until: string): string
  onClose(): void
}

/** The content of a dialog that shows a one-time link to pass on. */
export const CreatedLink = ({ url, expiresAt, text, onClose }: CreatedLinkProps) => {
  const { language, words } = useLocale()
  const { shell } = words
  return (
    <>
      <p>{text(momentText(expiresAt, language))}</p>
      <p className="created-link mono" translate="no">
        {url}
      </p>
      <div className="actions">
        <Button onClick={onClose}>{shell.done}</Button>
        <CopyButton look="primary" text={url} autoFocus>
          {shell.copyLink}
        </CopyButton>
      </div>
    </>
  )
}
