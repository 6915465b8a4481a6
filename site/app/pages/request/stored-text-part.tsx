import type { ReactNode } from 'react'
import type { StoredText } from '../../../../src/store/body-contract.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { useWords } from '../../words-context.tsx'

type StoredTextPartProps = { head: string; stored: StoredText | null; children: ReactNode }

/** One of the two texts, to read and to copy. */
export const StoredTextPart = ({ head, stored, children }: StoredTextPartProps) => {
  const { requests } = useWords()
  return (
    <div className="stored-text">
      <header>
        <h2>{head}</h2>
        {stored === null ? null : <CopyButton text={stored.text} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
      <section aria-label={head} tabIndex={0}>
        {children}
      </section>
      {stored?.isCut ? <p className="muted small">{requests.cut}</p> : null}
    </div>
  )
}
