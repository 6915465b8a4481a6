import { deleteText } from '../delete-text.ts'
import { type Query, run } from '../query.ts'

type Horizons = { events: number; occurrences: number; places: number }

/** What waits for an attempt is not removed: attempts end long before an event expires. */
export function* pruneWebhooks({ events, occurrences, places }: Horizons, limit: number): Query<number> {
  const removeEvents = `DELETE FROM webhook_events WHERE id IN (
    SELECT id FROM webhook_events WHERE created_at < ? AND NOT EXISTS (
      SELECT 1 FROM webhook_deliveries WHERE event_id = webhook_events.id AND due_at IS NOT NULL
    ) ORDER BY created_at LIMIT ?
  )`
  const removeOccurrences = `DELETE FROM webhook_occurrences WHERE name IN (
    SELECT name FROM webhook_occurrences WHERE until < ? ORDER BY until LIMIT ?
  )`
  const removePlaces = `DELETE FROM sign_in_places WHERE seen_at < ?`
  const removed = yield* deleteText(run(removeEvents, events, limit))
  const forgotten = yield* run(removeOccurrences, occurrences, limit)
  yield* deleteText(run(removePlaces, places))
  return removed + forgotten
}
