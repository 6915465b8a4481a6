import { Square, SquareCheck } from 'lucide-react'
import { createElement, type ReactNode } from 'react'
import { useWords } from '../words-context.tsx'
import { CodeBlock } from './code-block.tsx'
import { InlineViews } from './inline-views.tsx'
import type { Block, ListItem } from './markdown-tree.ts'
import { TableView } from './table-view.tsx'

type BlockViewsProps = {
  blocks: readonly Block[]
  /** Stands at the end of the text, while more of it is awaited. */
  caret: ReactNode
}

export const BlockViews = ({ blocks, caret }: BlockViewsProps) =>
  blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added
    <BlockView key={index} block={block} caret={index === blocks.length - 1 ? caret : null} />
  ))

const BlockView = ({ block, caret }: { block: Block; caret: ReactNode }) => {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <InlineViews inlines={block.children} />
          {caret}
        </p>
      )
    case 'heading':
      // The page has the first two levels.
      return createElement(`h${Math.min(block.depth + 2, 6)}`, null, <InlineViews inlines={block.children} />, caret)
    case 'code':
      return <CodeBlock language={block.language} text={block.text} caret={caret} />
    case 'quote':
      return (
        <blockquote>
          <BlockViews blocks={block.blocks} caret={caret} />
        </blockquote>
      )
    case 'list':
      return <ListView {...block} caret={caret} />
    case 'table':
      return <TableView {...block} />
    case 'rule':
      return <hr />
  }
}

type ListViewProps = { start: number | null; isLoose: boolean; items: readonly ListItem[]; caret: ReactNode }

const ListView = ({ start, isLoose, items, caret }: ListViewProps) => {
  const views = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever added
    <ItemView key={index} item={item} caret={index === items.length - 1 ? caret : null} />
  ))
  const className = isLoose ? 'loose' : undefined
  return start === null ? (
    <ul className={className}>{views}</ul>
  ) : (
    <ol className={className} start={start}>
      {views}
    </ol>
  )
}

const ItemView = ({ item: { isDone, blocks }, caret }: { item: ListItem; caret: ReactNode }) => {
  const { answer } = useWords()
  const Icon = isDone ? SquareCheck : Square
  return (
    <li className={isDone === null ? undefined : 'task'}>
      {isDone === null ? null : (
        <Icon size={16} strokeWidth={1.5} role="img" aria-label={isDone ? answer.taskDone : answer.taskOpen} />
      )}
      {blocks.length === 0 ? caret : <BlockViews blocks={blocks} caret={caret} />}
    </li>
  )
}
