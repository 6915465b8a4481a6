import { appendOnlyTables } from './append-only.ts'
import { copyAppendOnly } from './copy-append-only.ts'
import { copyExactly, copyTable } from './copy-table.ts'
import type { MoveEvent } from './move-event.ts'
import type { StoreTables, Table, TargetTables } from './store-tables.ts'

type CopyAllOptions = {
  source: StoreTables
  target: TargetTables
  tables: readonly Table[]
  /** Nothing writes to the source any more: afterwards both must be equal. */
  isFinal: boolean
  onEvent(event: MoveEvent): void
  signal: AbortSignal
}

/** Returns the number of rows. */
export const copyAll = async (options: CopyAllOptions): Promise<number> => {
  const { source, tables, isFinal, onEvent } = options
  let totalRows = 0
  for (const table of tables) totalRows += await source.count(table)
  let [compared, rows, changed] = [0, 0, 0]
  for (const table of tables) {
    const onRows = (more: number): void => {
      compared += more
      onEvent({ type: 'progress', table: table.name, rows: Math.min(compared, totalRows), totalRows })
    }
    const kind = appendOnlyTables[table.name]
    const copied =
      kind === undefined
        ? await (isFinal ? copyExactly : copyTable)({ ...options, table, onRows })
        : await copyAppendOnly({ ...options, table, kind, onRows })
    rows += copied.rows
    changed += copied.changed
  }
  onEvent({ type: 'copied', rows, changed })
  return rows
}
