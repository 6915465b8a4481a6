import { pruneProgress } from '../../../operations/ledger/ledger.ts'
import { first, type Query } from '../../../operations/query.ts'
import { integer } from '../../../operations/row.ts'
import type { OwnNode } from '../../own-node.ts'
import { advanceSettled } from './recover.ts'

/** The totals stay; the horizon says up to which day the ledger is not complete any more. */
const prune = `WITH due AS MATERIALIZED (
    SELECT reservation, day FROM ledger_settlements WHERE ended_at < $before ORDER BY ended_at LIMIT $limit
  ), horizon AS (
    INSERT INTO ledger_horizon (id, day) SELECT 1, max(day) FROM due HAVING max(day) IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET day = greatest(ledger_horizon.day, excluded.day)
  ), progress AS (
    DELETE FROM ledger_progress WHERE reservation IN (SELECT reservation FROM due)
  ), settlements AS (
    DELETE FROM ledger_settlements WHERE reservation IN (SELECT reservation FROM due)
  ), reservations AS (
    DELETE FROM ledger_reservations WHERE sequence IN (SELECT reservation FROM due) RETURNING sequence
  )
  SELECT count(*) AS removed FROM reservations`

export function* pruneLedger(endedBefore: number, limit: number): Query<number> {
  const row = yield* first(prune, { before: endedBefore, limit })
  return row === undefined ? 0 : integer(row, 'removed')
}

/** Also moves the node's mark, so that a start looks at few reservations. */
export const pruneCheckpoints = (own: OwnNode) =>
  function* (writtenBefore: number, limit: number): Query<number> {
    yield* advanceSettled(own.id)
    return yield* pruneProgress(writtenBefore, limit)
  }
