import type { AppendOnly } from './append-only.ts'
import { type Copied, type CopyOptions, copyExactly, copyTable } from './copy-table.ts'
import type { NumberRange } from './store-tables.ts'

type AppendOnlyOptions = CopyOptions & { kind: AppendOnly; isFinal: boolean }

/** How many numbers a range has. The sums of a range stay far below the largest integer of either database. */
const numbersAtOnce = 50_000
const smallest = -Number.MAX_SAFE_INTEGER
const largest = Number.MAX_SAFE_INTEGER

/**
 * Copies a table whose rows never change. Rows that were compared before are counted and summed by both databases; only
 * ranges that differ are compared row by row again, and all that came after them.
 */
export const copyAppendOnly = async (options: AppendOnlyOptions): Promise<Copied> => {
  const { source, target, table, kind, isFinal, onRows, signal } = options
  const column = kind.number
  const copy = isFinal ? copyExactly : copyTable
  const verified = await target.readVerified(table.name)
  let [rows, changed] = [0, 0]
  for (let from = smallest; verified !== null && from <= verified; ) {
    signal.throwIfAborted()
    const range = await nextRange(options, { column, from, to: verified })
    if (range === null) break
    const summaries = [target, source].map((side) => side.summarise(table, range, kind.sums))
    const [theirs, own] = await Promise.all(summaries)
    if (theirs !== undefined && own !== undefined && theirs.rows === own.rows && theirs.sums === own.sums) {
      rows += own.rows
      onRows(own.rows)
    } else {
      const copied = await copy({ ...options, range })
      rows += copied.rows
      changed += copied.changed
    }
    from = range.to + 1
  }
  const added = await copy({
    ...options,
    range: { column, from: verified === null ? smallest : verified + 1, to: largest },
  })
  const newest = added.last?.[table.columns.indexOf(column)]
  if (typeof newest === 'number') await target.writeVerified(table.name, newest)
  return { rows: rows + added.rows, changed: changed + added.changed }
}

/** Starts at the first number that either database has. */
const nextRange = async ({ source, target, table }: CopyOptions, rest: NumberRange): Promise<NumberRange | null> => {
  const found = await Promise.all([target, source].map((side) => side.firstNumber(table, rest)))
  const numbers = found.filter((number) => number !== null)
  if (numbers.length === 0) return null
  const from = Math.min(...numbers)
  return { ...rest, from, to: Math.min(from + numbersAtOnce - 1, rest.to) }
}
