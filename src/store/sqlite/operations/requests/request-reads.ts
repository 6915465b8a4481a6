import { firstBegunAfter, longestRequestMs } from '../../../operations/ledger/first-begun-after.ts'
import { foundRow, type NewestRows } from '../../../operations/ledger/ledger.ts'
import { selectLedgerRows } from '../../../operations/ledger/ledger-row.ts'
import { all, first, type Query } from '../../../operations/query.ts'
import { foundRefusal, selectRefusals } from '../../../operations/requests/refusals.ts'
import type { RequestReads } from '../../../operations/requests/request-reads.ts'
import { integer } from '../../../operations/row.ts'

const selectNewest = `SELECT sequence FROM ledger_reservations WHERE party = ? AND sequence < ?
  ORDER BY sequence DESC LIMIT ?`
const selectOldest = `SELECT sequence FROM ledger_reservations WHERE party = ? AND sequence > ?
  ORDER BY sequence LIMIT ?`

/** At most this many for each caller: SQLite would read and sort all requests of the organisation otherwise. */
function* ofEach(sql: string, callers: readonly number[], bound: number, limit: number): Query<number[]> {
  const found: number[] = []
  for (const caller of callers)
    for (const row of yield* all(sql, caller, bound, limit)) found.push(integer(row, 'sequence'))
  return found
}

export function* newestSequences(callers: readonly number[], bound: number, limit: number): Query<number[]> {
  return (yield* ofEach(selectNewest, callers, bound, limit)).sort((one, two) => two - one).slice(0, limit)
}

const newestOfAll = 'SELECT sequence FROM ledger_reservations WHERE sequence < ? ORDER BY sequence DESC LIMIT ?'

const newestRows: NewestRows = function* ({ callers, bound, limit }) {
  const sequences =
    callers === null
      ? (yield* all(newestOfAll, bound, limit)).map((row) => integer(row, 'sequence'))
      : yield* newestSequences(callers, bound, limit)
  return (yield* requestReads.rowsAt(sequences)).reverse()
}

export const requestReads: RequestReads = {
  newestRows,
  *rowsAfter(callers, mark, limit) {
    const sequences = yield* ofEach(selectOldest, callers, mark, limit)
    return yield* requestReads.rowsAt(sequences.sort((one, two) => one - two).slice(0, limit))
  },
  /** Many at once cost less than half of what they cost one by one. */
  *rowsAt(sequences) {
    if (sequences.length === 0) return []
    const find = `${selectLedgerRows} WHERE reserved.sequence IN (SELECT value FROM json_each(?)) ORDER BY reserved.sequence`
    return (yield* all(find, JSON.stringify(sequences))).map(foundRow)
  },
  *refusalsBefore(organisationId, bound, limit) {
    const find = `${selectRefusals} WHERE organisation_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`
    return (yield* all(find, organisationId, bound, limit)).map(foundRefusal)
  },
  *refusalsAfter(organisationId, mark, limit) {
    const find = `${selectRefusals} WHERE organisation_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`
    return (yield* all(find, organisationId, mark, limit)).map(foundRefusal)
  },
  *sequenceAfter(moment) {
    const row = yield* first(firstBegunAfter, moment + longestRequestMs, moment)
    return row === undefined ? null : integer(row, 'reservation')
  },
}
