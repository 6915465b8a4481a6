import { useWords } from '../words-context.tsx'
import type { Inline } from './markdown-tree.ts'
import { MathView } from './math-view.tsx'

/** Text, with links that say nothing of this page to where they lead. Pictures are never loaded. */
export const InlineViews = ({ inlines }: { inlines: readonly Inline[] }) =>
  inlines.map((inline, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: text is only ever added
    <InlineView key={index} inline={inline} />
  ))

const InlineView = ({ inline }: { inline: Inline }) => {
  const { answer } = useWords()
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code translate="no">{inline.text}</code>
    case 'math':
      return <MathView text={inline.text} isBlock={inline.isBlock} />
    case 'strong':
      return (
        <strong>
          <InlineViews inlines={inline.children} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <InlineViews inlines={inline.children} />
        </em>
      )
    case 'deleted':
      return (
        <del>
          <InlineViews inlines={inline.children} />
        </del>
      )
    case 'link':
      return (
        <a href={inline.href} title={inline.href} target="_blank" rel="noopener noreferrer nofollow">
          <InlineViews inlines={inline.children} />
        </a>
      )
    case 'image': {
      const text = answer.image(inline.description)
      return inline.href === null ? (
        text
      ) : (
        <a href={inline.href} title={inline.href} target="_blank" rel="noopener noreferrer nofollow">
          {text}
        </a>
      )
    }
    case 'break':
      return <br />
  }
}
