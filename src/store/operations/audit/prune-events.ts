import { deleteText } from '../delete-text.ts'
import { type Query, run } from '../query.ts'

/** The horizon never moves back. Actors and targets that no event refers to are removed too. */
export function* pruneEvents(before: number, limit: number): Query<number> {
  yield* run('UPDATE audit_horizon SET before = $before WHERE before < $before', { before })
  const remove = `DELETE FROM audit_events WHERE sequence IN (
    SELECT sequence FROM audit_events WHERE at < ? ORDER BY at, sequence LIMIT ?
  )`
  const removed = yield* deleteText(run(remove, before, limit))
  const removeParties = `DELETE FROM audit_parties
    WHERE NOT EXISTS (SELECT 1 FROM audit_events WHERE actor = audit_parties.id)
      AND NOT EXISTS (SELECT 1 FROM audit_events WHERE target = audit_parties.id)`
  if (removed > 0) yield* deleteText(run(removeParties))
  return removed
}
