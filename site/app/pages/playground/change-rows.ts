import type { PlaygroundState } from './playground-store.ts'
import { maxRows, type PromptVariables } from './prompt-variables.ts'
import { tableRows } from './variable-rows.ts'

type Table = Pick<PlaygroundState, 'variables' | 'otherRows'>

/** Whole rows, and the cells of other rows that are beyond the last column. */
export type LeftOut = { rows: number; cells: number }

/** What is done with the table of values. Rows are counted from zero. */
export const changeRows = {
  choose: (table: Table, row: number): Table => toTable(tableRows(table), row),
  addRow: (table: Table): Table => toTable([...tableRows(table), {}].slice(0, maxRows), chosenRow(table)),
  /** If it was chosen, the one that follows is, or else the one before. */
  removeRow(table: Table, row: number): Table {
    const rest = tableRows(table).toSpliced(row, 1)
    const chosen = chosenRow(table) - (row < chosenRow(table) ? 1 : 0)
    return toTable(rest, Math.min(chosen, rest.length - 1))
  },
  setRow: (table: Table, row: number, values: PromptVariables): Table =>
    toTable(
      tableRows(table).map((old, index) => (index === row ? { ...old, ...values } : old)),
      chosenRow(table),
    ),
  /** From a cell on, to the right and down; rows are added as far as there is room for them. What has no place is counted. */
  fillFrom(
    table: Table,
    names: readonly string[],
    from: { row: number; column: number },
    cells: readonly (readonly string[])[],
  ): { table: Table; leftOut: LeftOut } {
    const rows = [...tableRows(table)]
    const fitting = cells.slice(0, maxRows - from.row)
    for (const [down, texts] of fitting.entries()) {
      const filled = texts.flatMap((text, right) => {
        const name = names[from.column + right]
        return name === undefined ? [] : [[name, text]]
      })
      rows[from.row + down] = { ...rows[from.row + down], ...Object.fromEntries(filled) }
    }
    const room = names.length - from.column
    const beyond = fitting.reduce((sum, { length }) => sum + Math.max(0, length - room), 0)
    return { table: toTable(rows, chosenRow(table)), leftOut: { rows: cells.length - fitting.length, cells: beyond } }
  },
}

export const chosenRow = ({ otherRows }: Table): number => otherRows.before.length

const toTable = (rows: readonly PromptVariables[], chosen: number): Table => ({
  variables: rows[chosen] ?? {},
  otherRows: { before: rows.slice(0, chosen), after: rows.slice(chosen + 1) },
})
