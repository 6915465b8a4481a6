import { StoreFailure } from '../store-failure.ts'
import { areEqual, keyReader, textOfCells } from './cells.ts'
import type { Cells, NumberRange, StoreTables, Table, TargetTables } from './store-tables.ts'

export type CopyOptions = {
  source: StoreTables
  target: TargetTables
  table: Table
  /** Only these rows. */
  range?: NumberRange
  /** Called with the number of rows that were compared since the last call. */
  onRows(rows: number): void
  signal: AbortSignal
}

export type Copied = {
  /** Rows of the source, each of which was compared with the target's, or copied and read again. */
  rows: number
  /** Rows of the target that were added, changed or removed. */
  changed: number
  /** The last row of the source, if there was one. */
  last?: Cells
}

/** A row that conflicts with another is replaced by the first attempt, so that the second succeeds. */
const maxAttempts = 4

/** While a server writes: what changes meanwhile is left for the next time. */
export const copyTable = async (options: CopyOptions): Promise<Copied> => {
  const { rows, changed, last } = await copyRows(options)
  return { rows, changed: changed + (await removeOthers(options, rows)), ...(last && { last }) }
}

/** While nothing writes: afterwards the target has exactly the rows of the source, or it throws. */
export const copyExactly = async (options: CopyOptions): Promise<Copied> => {
  const { source, target, table, range } = options
  let changed = 0
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const copied = await copyRows(options)
    const removed = await removeOthers(options, copied.rows)
    changed += copied.changed + removed
    const isSame = copied.missing === 0 && (await target.count(table, range)) === copied.rows
    if (isSame) return { rows: copied.rows, changed, ...(copied.last && { last: copied.last }) }
  }
  throw new StoreFailure(`The rows of ${table.name} in ${target.place} differ from those in ${source.place}.`)
}

const copyRows = async (options: CopyOptions): Promise<Copied & { missing: number }> => {
  const { source, target, table, range, onRows, signal } = options
  const readKey = keyReader(table)
  // An empty target: there is nothing to compare with, and there may be many rows to copy.
  const isFirst = (await target.count(table, range)) === 0
  let [rows, changed, missing] = [0, 0, 0]
  let last: Cells | undefined
  for await (const batch of source.scan(table, range)) {
    signal.throwIfAborted()
    const wanted = batch.map((row) => target.storable(row))
    const differing = isFirst ? wanted : await findDiffering(target, table, wanted)
    if (differing.length > 0) {
      await target.replace(table, isFirst ? [] : differing.map(readKey), differing)
      missing += (await findDiffering(target, table, differing)).length
    }
    rows += batch.length
    changed += differing.length
    last = batch.at(-1)
    onRows(batch.length)
  }
  return { rows, changed, missing, ...(last && { last }) }
}

const findDiffering = async (target: StoreTables, table: Table, rows: readonly Cells[]): Promise<Cells[]> => {
  const readKey = keyReader(table)
  const found = new Map(
    (await target.find(table, rows.map(readKey))).map((row) => [textOfCells(readKey(row)), row] as const),
  )
  return rows.filter((row) => {
    const stored = found.get(textOfCells(readKey(row)))
    return stored === undefined || !areEqual(stored, row)
  })
}

/** Removes rows that the source no longer has. If both have the same number of rows, there are none. */
const removeOthers = async ({ source, target, table, range, signal }: CopyOptions, rows: number): Promise<number> => {
  if ((await target.count(table, range)) === rows) return 0
  const readKey = keyReader(table)
  let removed = 0
  for await (const batch of target.scan(table, range)) {
    signal.throwIfAborted()
    const keys = batch.map(readKey)
    const kept = new Set((await source.find(table, keys)).map((row) => textOfCells(target.storable(readKey(row)))))
    const others = keys.filter((key) => !kept.has(textOfCells(key)))
    if (others.length > 0) await target.replace(table, others, [])
    removed += others.length
  }
  return removed
}
