import type { ReactNode } from 'react'
import { CopyButton } from '../components/copy-button.tsx'
import { useWords } from '../words-context.tsx'
import { CodeRunViews } from './code-run-views.tsx'
import { useHighlight } from './use-highlight.ts'

type CodeBlockProps = {
  language: string
  text: string
  /** Present while the code may still grow. */
  caret: ReactNode
}

export const CodeBlock = ({ language, text, caret }: CodeBlockProps) => {
  const { answer, shell } = useWords()
  const runs = useHighlight(language, text, caret !== null)
  const name = language === '' ? answer.code : language
  return (
    <div className="code">
      <div className="bar">
        <span className="name">{name}</span>
        <CopyButton look="plain" text={text} aria-label={`${shell.copy}: ${name}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
      <pre tabIndex={0} translate="no">
        <code>
          <CodeRunViews runs={runs} />
          {caret}
        </code>
      </pre>
    </div>
  )
}
