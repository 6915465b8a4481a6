import { useWords } from '../words-context.tsx'
import { InlineViews } from './inline-views.tsx'
import type { Alignment, Inline } from './markdown-tree.ts'
import { shortColumns } from './short-columns.ts'

type Cells = readonly (readonly Inline[])[]
type TableViewProps = { alignments: readonly Alignment[]; head: Cells; rows: readonly Cells[] }

/** Scrolls by itself where it is wider than the answer. */
export const TableView = ({ alignments, head, rows }: TableViewProps) => {
  const { answer } = useWords()
  const isShort = shortColumns(head, rows)
  const looks = alignments.map((alignment, index) => `${alignment ?? ''} ${isShort[index] ? 'short' : ''}`.trim())
  const cells = (Cell: 'th' | 'td', row: Cells) =>
    row.map((inlines, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row never change places
      <Cell key={index} className={looks[index] || undefined} scope={Cell === 'th' ? 'col' : undefined}>
        <InlineViews inlines={inlines} />
      </Cell>
    ))
  return (
    // biome-ignore lint/a11y/useSemanticElements: several regions of the same name would be landmarks that nobody can tell apart
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys
    <div role="group" className="scrolling-table" aria-label={answer.table} tabIndex={0}>
      <table>
        <thead>
          <tr>{cells('th', head)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added
            <tr key={index}>{cells('td', row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
