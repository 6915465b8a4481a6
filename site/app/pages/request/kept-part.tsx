import type { ReactNode } from 'react'
import type { StoredText } from '../../../../src/store/body-contract.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { useWords } from '../../words-context.tsx'

type KeptPartProps = { head: string; kept: StoredText | null; children: ReactNode }

/** One of the two texts, to read and to copy. */
export const KeptPart = ({ head, kept, children }: KeptPartProps) => {
  const { requests } = useWords()
  return (
    <div className="stored-text">
      <header>
        <h2>{head}</h2>
        {kept === null ? null : <CopyButton text={kept.text} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
      <section aria-label={head} tabIndex={0}>
        {children}
      </section>
      {kept?.isCut ? <p className="muted small">{requests.cut}</p> : null}
    </div>
  )
}
