import {
  type EndpointChanges,
  type EndpointRecord,
  type WebhookScope,
  webhookChannels,
} from '../../webhook-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, integerOrNull, type Row, text, textOrNull, texts, word } from '../row.ts'

export function* listEndpoints(scope: WebhookScope): Query<EndpointRecord[]> {
  const list = 'SELECT * FROM webhook_endpoints WHERE organisation_id IS NOT DISTINCT FROM ? ORDER BY created_at, id'
  return (yield* all(list, scope)).map(readEndpoint)
}

export function* findEndpoint(scope: WebhookScope, id: string): Query<EndpointRecord | null> {
  const find = 'SELECT * FROM webhook_endpoints WHERE id = ? AND organisation_id IS NOT DISTINCT FROM ?'
  const row = yield* first(find, id, scope)
  return row === undefined ? null : readEndpoint(row)
}

export function* insertEndpoint(record: EndpointRecord, max: number): Query<boolean> {
  const { id, organisationId, channel, url, description, events, sealedSecret, isEnabled, createdAt } = record
  if ((yield* listEndpoints(organisationId)).length >= max) return false
  const exists = 'SELECT 1 AS present FROM organisations WHERE id = ?'
  if (organisationId !== null && (yield* first(exists, organisationId)) === undefined) return false
  const insert = `INSERT INTO webhook_endpoints
    (id, organisation_id, channel, url, description, events, sealed_secret, is_enabled, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
  const written = [description, JSON.stringify(events), sealedSecret, isEnabled ? 1 : 0, createdAt]
  yield* run(insert, id, organisationId, channel, url, ...written)
  return true
}

export function* changeEndpoint(
  scope: WebhookScope,
  id: string,
  changes: EndpointChanges,
): Query<EndpointRecord | null> {
  const found = yield* findEndpoint(scope, id)
  if (found === null) return null
  const changed = { ...found, ...changes }
  const change = `UPDATE webhook_endpoints SET url = $url, description = $description, events = $events,
      sealed_secret = $secret, sealed_previous = $previous, previous_until = $previousUntil, is_enabled = $isEnabled
    WHERE id = $id`
  yield* deleteText(
    run(change, {
      ...{ id, url: changed.url, description: changed.description, events: JSON.stringify(changed.events) },
      ...{ secret: changed.sealedSecret, previous: changed.sealedPrevious, previousUntil: changed.previousUntil },
      isEnabled: changed.isEnabled ? 1 : 0,
    }),
  )
  if (!changed.isEnabled)
    yield* run(
      `UPDATE webhook_deliveries SET state = 'failed', error = 'disabled', due_at = NULL
        WHERE endpoint_id = ? AND state = 'pending'`,
      id,
    )
  return changed
}

export function* removeEndpoint(scope: WebhookScope, id: string): Query<boolean> {
  const remove = 'DELETE FROM webhook_endpoints WHERE id = ? AND organisation_id IS NOT DISTINCT FROM ?'
  const isRemoved = (yield* deleteText(run(remove, id, scope))) === 1
  const orphans = `DELETE FROM webhook_events WHERE organisation_id IS NOT DISTINCT FROM ?
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = webhook_events.id)`
  if (isRemoved) yield* deleteText(run(orphans, scope))
  return isRemoved
}

export function* listSubscribers(after: string | null, limit: number): Query<string[]> {
  const list = `SELECT DISTINCT organisation_id FROM webhook_endpoints
    WHERE is_enabled = 1 AND organisation_id > ? ORDER BY organisation_id LIMIT ?`
  return (yield* all(list, after ?? '', limit)).map((row) => text(row, 'organisation_id'))
}

export const readEndpoint = (row: Row): EndpointRecord => ({
  id: text(row, 'id'),
  organisationId: textOrNull(row, 'organisation_id'),
  channel: word(row, 'channel', webhookChannels),
  url: textOrNull(row, 'url'),
  description: text(row, 'description'),
  events: texts(row, 'events'),
  sealedSecret: textOrNull(row, 'sealed_secret'),
  sealedPrevious: textOrNull(row, 'sealed_previous'),
  previousUntil: integerOrNull(row, 'previous_until'),
  isEnabled: integer(row, 'is_enabled') === 1,
  createdAt: integer(row, 'created_at'),
})
