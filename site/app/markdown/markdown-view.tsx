import { memo, type ReactNode, useRef } from 'react'
import { BlockViews } from './block-views.tsx'
import { growMarkdown, type MarkdownPart, noMarkdown } from './grow-markdown.ts'

/** An answer's Markdown as elements. While it grows, only its last part is parsed and rendered again. */
export const MarkdownView = ({ text, caret }: { text: string; caret: ReactNode }) => {
  // A cache: it changes how much is parsed, never what is shown.
  const grown = useRef(noMarkdown)
  grown.current = growMarkdown(grown.current, text, caret !== null)
  const { parts } = grown.current
  const last = parts.at(-1)
  return (
    <div className="markdown">
      {parts.map((part) => (
        <PartView key={part.start} part={part} caret={part === last ? caret : null} />
      ))}
      {last === undefined || last.blocks.length === 0 ? <p>{caret}</p> : null}
    </div>
  )
}

const PartView = memo(({ part, caret }: { part: MarkdownPart; caret: ReactNode }) => (
  <BlockViews blocks={part.blocks} caret={caret} />
))
