import type { Cell, Cells, Table } from './store-tables.ts'

/** A text that is equal only for equal rows. */
export const textOfCells = (cells: Cells): string =>
  JSON.stringify(cells.map((cell) => (cell instanceof Uint8Array ? [Buffer.from(cell).toString('hex')] : cell)))

export const keyReader = (table: Table): ((row: Cells) => Cells) => {
  const places = table.key.map((column) => table.columns.indexOf(column))
  return (row) => places.map((place) => row[place] ?? null)
}

export const areEqual = (one: Cells, other: Cells): boolean =>
  one.length === other.length && one.every((cell, index) => areEqualCells(cell, other[index] ?? null))

const areEqualCells = (one: Cell, other: Cell): boolean =>
  one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.compare(one, other) === 0 : one === other

export const rowBytes = (row: Cells): number => {
  let bytes = 0
  for (const cell of row) bytes += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8
  return bytes
}

/** The maximum number of rows in a batch. */
export const maxRows = 1_000
/** A batch also ends with the row that exceeds this size. */
export const maxBytes = 4_194_304
