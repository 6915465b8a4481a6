import { type ReactNode, useRef } from 'react'
import { PhoneLabel } from './phone-label.tsx'
import { useRowLinks } from './use-row-links.ts'
import { useWindow } from './use-window.ts'

export type Column<Row> = {
  id: string
  head: ReactNode
  cell(row: Row): ReactNode
  /** Aligned to the right, for figures. */
  end?: boolean
  /** Not on phones. */
  wideOnly?: boolean
  /** On phones, where the heads are hidden, the cell repeats its own. */
  labelled?: boolean
  className?: string
}

type TableProps<Row> = {
  /** What the table shows, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
  isDim?(row: Row): boolean
  /** Highlighted because another part of the page refers to it. */
  isChosen?(row: Row): boolean
  /** The whole row opens its first link. */
  opensRow?: boolean
  className?: string
}

/** Keeps the place of the rows that are not drawn. Its style hides it from everybody. */
const LeftOut = ({ height, span }: { height: number; span: number }) =>
  height === 0 ? null : (
    <tr className="left-out" style={{ height }}>
      <td colSpan={span} />
    </tr>
  )

/**
 * A table with rules and no boxes. With the class `cards`, each row becomes a card on phones. Of a long one only the rows in
 * view are drawn.
 */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { caption, columns, rows, rowKey, isDim, isChosen, opensRow = false, className = '' } = props
  const body = useRef<HTMLTableSectionElement>(null)
  useRowLinks(body, opensRow)
  const part = useWindow(body, rows.length)
  const drawn = part === null ? rows : rows.slice(part.first, part.end)
  const columnClass = ({ end, wideOnly, className: own = '' }: Column<Row>): string =>
    [own, end ? 'end' : '', wideOnly ? 'wide-only' : ''].filter(Boolean).join(' ')
  return (
    <table
      className={`table ${opensRow ? 'linked-rows ' : ''}${className}`}
      aria-rowcount={part === null ? undefined : rows.length + 1}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={columnClass(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {part === null ? null : <LeftOut height={part.above} span={columns.length} />}
        {drawn.map((row, index) => (
          <tr
            key={rowKey(row)}
            className={isChosen?.(row) ? 'selected' : isDim?.(row) ? 'inactive' : undefined}
            aria-rowindex={part === null ? undefined : part.first + index + 2}
          >
            {columns.map((column) => (
              <td key={column.id} className={columnClass(column)}>
                {column.labelled ? <PhoneLabel>{column.head}</PhoneLabel> : null}
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
        {part === null ? null : <LeftOut height={part.below} span={columns.length} />}
      </tbody>
    </table>
  )
}
