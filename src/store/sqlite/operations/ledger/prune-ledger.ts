import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../database/prepared.ts'

const due = 'SELECT reservation FROM ledger_settlements WHERE ended_at < $before ORDER BY ended_at LIMIT $limit'

/**
 * Removes settled requests, oldest first, and remembers up to which day the ledger is not whole any more. Their totals
 * stay; checkpoints and settlements go with their reservation.
 */
export const pruneLedger = (db: DatabaseSync, endedBefore: number, limit: number): number => {
  const which = { before: endedBefore, limit }
  prepared(
    db,
    `INSERT INTO ledger_horizon (id, day)
      SELECT 1, day FROM (SELECT max(day) AS day FROM ledger_settlements WHERE reservation IN (${due}))
      WHERE day IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET day = max(day, excluded.day)`,
  ).run(which)
  return Number(prepared(db, `DELETE FROM ledger_reservations WHERE sequence IN (${due})`).run(which).changes)
}
