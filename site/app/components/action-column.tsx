import type { ReactNode } from 'react'
import type { Column } from './table.tsx'

/** The last column, with the buttons of a row; its head is for screen readers. */
export const actionColumn = <Row,>(head: string, cell: (row: Row) => ReactNode): Column<Row> => ({
  id: 'action',
  className: 'action',
  end: true,
  head: <span className="visually-hidden">{head}</span>,
  cell,
})
