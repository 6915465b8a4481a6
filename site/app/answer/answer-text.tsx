import '../../styles/markdown.css'
import { lazy, type ReactNode, Suspense } from 'react'
import { CodeBlock } from '../markdown/code-block.tsx'

export type AnswerTextProps = {
  text: string
  isRunning: boolean
  /** Exactly as it came. */
  isRaw: boolean
  /** The request asked for JSON, which is no Markdown. */
  isJson?: boolean
}

type TextProps = { text: string; caret: ReactNode }

const PlainText = ({ text, caret }: TextProps) => (
  <p>
    {text}
    {caret}
  </p>
)

/** Answers are shown without it while it is being loaded; if it cannot be loaded, they stay plain text. */
export const loadMarkdown = () =>
  import('../markdown/markdown-view.tsx').then(
    ({ MarkdownView: loaded }) => ({ default: loaded }),
    () => ({ default: PlainText }),
  )
const MarkdownView = lazy(loadMarkdown)

export const AnswerText = ({ text, isRunning, isRaw, isJson = false }: AnswerTextProps) => {
  const caret = isRunning ? <span className="caret" /> : null
  return (
    <div className={isRaw ? 'answer raw' : 'answer'}>
      {isRaw ? (
        <p>
          {text}
          {caret}
        </p>
      ) : isJson ? (
        <CodeBlock language="json" text={text} caret={caret} />
      ) : (
        <Suspense fallback={<PlainText text={text} caret={caret} />}>
          <MarkdownView text={text} caret={caret} />
        </Suspense>
      )}
    </div>
  )
}
