import { type ReactNode, useRef } from 'react'
import { PhoneLabel } from './phone-label.tsx'
import { useRowLinks } from './use-row-links.ts'

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

/** A table with rules and no boxes. With the class `cards`, each row becomes a card on phones. */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { caption, columns, rows, rowKey, isDim, isChosen, opensRow = false, className = '' } = props
  const body = useRef<HTMLTableSectionElement>(null)
  useRowLinks(body, opensRow)
  const classOf = ({ end, wideOnly, className: own = '' }: Column<Row>): string =>
    [own, end ? 'end' : '', wideOnly ? 'wide-only' : ''].filter(Boolean).join(' ')
  return (
    <table className={`table ${opensRow ? 'linked-rows ' : ''}${className}`}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={classOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <tr key={rowKey(row)} className={isChosen?.(row) ? 'selected' : isDim?.(row) ? 'inactive' : undefined}>
            {columns.map((column) => (
              <td key={column.id} className={classOf(column)}>
                {column.labelled ? <PhoneLabel>{column.head}</PhoneLabel> : null}
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
