import type { ReactNode } from 'react'

export type Column<Row> = {
  id: string
  head: ReactNode
  cell(row: Row): ReactNode
  /** Figures stand at the right. */
  end?: boolean
  /** Not on phones. */
  wideOnly?: boolean
  className?: string
}

type TableProps<Row> = {
  /** What the table shows, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
  isDim?(row: Row): boolean
  /** What something else on the page points at. */
  isChosen?(row: Row): boolean
  className?: string
}

/** Rules, no boxes. A page that needs another shape on a phone draws its own list there. */
export const Table = <Row,>({ caption, columns, rows, rowKey, isDim, isChosen, className = '' }: TableProps<Row>) => {
  const classOf = ({ end, wideOnly, className: own = '' }: Column<Row>): string =>
    [own, end ? 'end' : '', wideOnly ? 'max-md:hidden' : ''].filter(Boolean).join(' ')
  return (
    <table className={`table ${className}`}>
      <caption className="aside">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={classOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className={isChosen?.(row) ? 'chosen' : isDim?.(row) ? 'dim' : undefined}>
            {columns.map((column) => (
              <td key={column.id} className={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
