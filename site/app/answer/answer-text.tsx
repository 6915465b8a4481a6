import '../../styles/markdown.css'
import { CodeBlock } from '../markdown/code-block.tsx'
import { MarkdownView } from '../markdown/markdown-view.tsx'

export type AnswerTextProps = {
  text: string
  isRunning: boolean
  /** Exactly as it came. */
  isRaw: boolean
  /** The request asked for JSON, which is no Markdown. */
  isJson?: boolean
}

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
        <MarkdownView text={text} caret={caret} />
      )}
    </div>
  )
}
