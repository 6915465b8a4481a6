import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'

/** The horizon never moves back. Actors and targets that no event refers to are removed too. */
export const pruneEvents = (db: DatabaseSync, before: number, limit: number): number => {
  prepared(db, 'UPDATE audit_horizon SET before = max(before, ?)').run(before)
  const remove = `DELETE FROM audit_events WHERE sequence IN (
    SELECT sequence FROM audit_events WHERE at < ? ORDER BY at, sequence LIMIT ?
  )`
  const removed = Number(prepared(db, remove).run(before, limit).changes)
  if (removed > 0)
    prepared(
      db,
      `DELETE FROM audit_parties WHERE NOT EXISTS (SELECT 1 FROM audit_events WHERE actor = audit_parties.id)
         AND NOT EXISTS (SELECT 1 FROM audit_events WHERE target = audit_parties.id)`,
    ).run()
  return removed
}
