import { newId } from '../../../base/ids.ts'
import {
  type DeliveryRecord,
  maxMailRecipients,
  maxPendingDeliveries,
  type Occurrence,
  type WebhookEvent,
  type WebhookScope,
} from '../../webhook-contract.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, text } from '../row.ts'
import { findDelivery } from './deliveries.ts'
import { findEndpoint, listEndpoints } from './endpoints.ts'

/** The name decides which of several callers creates the event. */
export function* raiseEvent(event: WebhookEvent, { name, until }: Occurrence): Query<boolean> {
  const held = yield* first('SELECT until FROM webhook_occurrences WHERE name = ?', name)
  const heldUntil = held === undefined ? null : integer(held, 'until')
  if (heldUntil !== null && heldUntil >= event.createdAt) {
    if (until > heldUntil) yield* run('UPDATE webhook_occurrences SET until = ? WHERE name = ?', until, name)
    return false
  }
  const told = (yield* listEndpoints(event.organisationId)).filter(
    ({ isEnabled, events }) => isEnabled && events.includes(event.type),
  )
  const deliveries: { endpointId: string; accountId: string | null }[] = []
  for (const { id: endpointId, channel } of told) {
    const readers = channel === 'mail' ? yield* listReaders(event.organisationId) : [null]
    deliveries.push(...readers.map((accountId) => ({ endpointId, accountId })))
  }
  if (deliveries.length === 0) return false
  yield* run(
    `INSERT INTO webhook_occurrences (name, organisation_id, until) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET until = excluded.until`,
    ...[name, event.organisationId, until],
  )
  yield* insertEvent(event)
  for (const { endpointId, accountId } of deliveries) yield* insertDelivery(event, endpointId, accountId)
  return true
}

export function* sendEvent(scope: WebhookScope, endpointId: string, event: WebhookEvent): Query<DeliveryRecord | null> {
  const endpoint = yield* findEndpoint(scope, endpointId)
  if (endpoint === null || !endpoint.isEnabled) return null
  const readers = endpoint.channel === 'mail' ? yield* listReaders(scope) : [null]
  const [reader, ...others] = readers
  if (reader === undefined) return null
  yield* insertEvent(event)
  const id = yield* insertDelivery(event, endpointId, reader)
  for (const other of others) yield* insertDelivery(event, endpointId, other)
  return yield* findDelivery(scope, endpointId, id)
}

function* insertEvent({ id, organisationId, type, data, createdAt }: WebhookEvent): Query<void> {
  const insert = 'INSERT INTO webhook_events (id, organisation_id, type, data, created_at) VALUES (?, ?, ?, ?, ?)'
  yield* run(insert, id, organisationId, type, data, createdAt)
}

function* insertDelivery(event: WebhookEvent, endpointId: string, accountId: string | null): Query<string> {
  const id = newId('dlv')
  const waiting = yield* first(
    `SELECT count(*) AS waiting FROM webhook_deliveries WHERE endpoint_id = ? AND due_at IS NOT NULL`,
    endpointId,
  )
  const isFull = integer(waiting ?? {}, 'waiting') >= maxPendingDeliveries
  yield* run(
    `INSERT INTO webhook_deliveries (id, event_id, endpoint_id, account_id, state, attempts, due_at, created_at, error)
      VALUES ($id, $event, $endpoint, $account, $state, 0, $due, $now, $error)`,
    {
      ...{ id, event: event.id, endpoint: endpointId, account: accountId, now: event.createdAt },
      ...{ state: isFull ? 'failed' : 'pending', due: isFull ? null : event.createdAt },
      error: isFull ? 'queue_full' : null,
    },
  )
  return id
}

/** Whoever may set up endpoints, if the address is known to be theirs. */
function* listReaders(scope: WebhookScope): Query<string[]> {
  const ofServer = `SELECT id FROM accounts WHERE is_owner = 1 AND email_verified_at IS NOT NULL
    AND suspended_at IS NULL ORDER BY created_at, id LIMIT ?`
  const ofOrganisation = `SELECT accounts.id AS id FROM memberships JOIN accounts ON accounts.id = account_id
    WHERE role IN ('owner', 'admin') AND email_verified_at IS NOT NULL AND suspended_at IS NULL
      AND organisation_id = ? ORDER BY accounts.created_at, accounts.id LIMIT ?`
  const rows =
    scope === null ? yield* all(ofServer, maxMailRecipients) : yield* all(ofOrganisation, scope, maxMailRecipients)
  return rows.map((row) => text(row, 'id'))
}
