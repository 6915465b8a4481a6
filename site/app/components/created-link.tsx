import { momentText } from '../time/moments.ts'
import { useLocale } from '../words-context.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

type CreatedLinkProps = {
  url: string
  expiresAt: number
  text(until: string): string
  words: { done: string; copyLink: string }
  onClose(): void
}

/** The content of a dialog that shows a one-time link to pass on. */
export const CreatedLink = ({ url, expiresAt, text, words, onClose }: CreatedLinkProps) => {
  const { language } = useLocale()
  return (
    <>
      <p>{text(momentText(expiresAt, language))}</p>
      <p className="created-link mono" translate="no">
        {url}
      </p>
      <div className="actions">
        <Button onClick={onClose}>{words.done}</Button>
        <CopyButton look="primary" text={url} autoFocus>
          {words.copyLink}
        </CopyButton>
      </div>
    </>
  )
}
