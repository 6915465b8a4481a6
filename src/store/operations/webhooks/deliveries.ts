import type {
  AttemptRecord,
  DeliveryPlace,
  DeliveryRecord,
  DeliveryState,
  DueDelivery,
  WebhookEvent,
  WebhookScope,
} from '../../webhook-contract.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, integerOrNull, type Row, text, textOrNull, word } from '../row.ts'
import { readEndpoint } from './endpoints.ts'

const eventColumns = `webhook_events.id AS event_id, webhook_events.organisation_id AS event_organisation_id, type, data,
  webhook_events.created_at AS event_created_at`

const deliveryColumns = `webhook_deliveries.id AS delivery_id, endpoint_id, state, attempts, due_at,
  webhook_deliveries.created_at AS delivery_created_at, attempted_at, status, error, duration_ms, ${eventColumns}`

const joined = `FROM webhook_deliveries JOIN webhook_events ON webhook_events.id = webhook_deliveries.event_id
  JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id`

export function* findNextDue(): Query<number | null> {
  const row = yield* first('SELECT min(due_at) AS due_at FROM webhook_deliveries WHERE due_at IS NOT NULL')
  return row === undefined ? null : integerOrNull(row, 'due_at')
}

/** One of each endpoint, so that one that hangs holds up only itself. None of an endpoint to which a node is sending. */
export function* claimDeliveries(now: number, leaseUntil: number, limit: number): Query<DueDelivery[]> {
  const due = yield* all(
    `SELECT id FROM webhook_deliveries AS due WHERE due_at <= $now AND id = (
        SELECT id FROM webhook_deliveries AS other WHERE other.endpoint_id = due.endpoint_id AND due_at <= $now
        ORDER BY due_at, id LIMIT 1
      ) AND NOT EXISTS (
        SELECT 1 FROM webhook_deliveries AS other
        WHERE other.endpoint_id = due.endpoint_id AND other.state = 'sending' AND other.due_at > $now
      ) ORDER BY due_at, id LIMIT $limit`,
    { now, limit },
  )
  const claimed: DueDelivery[] = []
  for (const { id } of due.map((row) => ({ id: text(row, 'id') }))) {
    const claim = `UPDATE webhook_deliveries
      SET state = 'sending', due_at = ?, attempts = attempts + 1, attempted_at = ? WHERE id = ?`
    yield* run(claim, leaseUntil, now, id)
    const row = yield* first(
      `SELECT webhook_endpoints.*, webhook_deliveries.id AS delivery_id, attempts, email, language,
          organisations.name AS organisation_name, ${eventColumns} ${joined}
        LEFT JOIN accounts ON accounts.id = webhook_deliveries.account_id
        LEFT JOIN organisations ON organisations.id = webhook_events.organisation_id WHERE webhook_deliveries.id = ?`,
      id,
    )
    if (row !== undefined) claimed.push(readDue(row))
  }
  return claimed
}

export function* recordAttempt(
  { id, attempt }: Pick<DueDelivery, 'id' | 'attempt'>,
  { state, dueAt, status, error, durationMs }: AttemptRecord,
): Query<boolean> {
  const record = `UPDATE webhook_deliveries SET state = ?, due_at = ?, status = ?, error = ?, duration_ms = ?
    WHERE id = ? AND state = 'sending' AND attempts = ?`
  return (yield* run(record, state, dueAt, status, error, durationMs, id, attempt)) === 1
}

export function* listDeliveries(
  scope: WebhookScope,
  endpointId: string,
  after: DeliveryPlace | null,
  limit: number,
): Query<DeliveryRecord[]> {
  const list = `SELECT ${deliveryColumns} ${joined}
    WHERE endpoint_id = $endpoint AND webhook_endpoints.organisation_id IS NOT DISTINCT FROM $scope
      AND (webhook_deliveries.created_at, webhook_deliveries.id) < ($at, $id)
    ORDER BY webhook_deliveries.created_at DESC, webhook_deliveries.id DESC LIMIT $limit`
  const place = { at: after?.createdAt ?? Number.MAX_SAFE_INTEGER, id: after?.id ?? '' }
  return (yield* all(list, { ...place, endpoint: endpointId, scope, limit })).map(readDelivery)
}

export function* findDelivery(scope: WebhookScope, endpointId: string, id: string): Query<DeliveryRecord | null> {
  const find = `SELECT ${deliveryColumns} ${joined} WHERE webhook_deliveries.id = ? AND endpoint_id = ?
    AND webhook_endpoints.organisation_id IS NOT DISTINCT FROM ?`
  const row = yield* first(find, id, endpointId, scope)
  return row === undefined ? null : readDelivery(row)
}

export function* replayDelivery(
  scope: WebhookScope,
  endpointId: string,
  id: string,
  now: number,
): Query<DeliveryRecord | null> {
  if ((yield* findDelivery(scope, endpointId, id)) === null) return null
  const replay = `UPDATE webhook_deliveries SET state = 'pending', attempts = 0, due_at = ?
    WHERE id = ? AND state <> 'sending'
      AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = endpoint_id AND is_enabled = 1)`
  return (yield* run(replay, now, id)) === 1 ? yield* findDelivery(scope, endpointId, id) : null
}

const states: readonly DeliveryState[] = ['pending', 'sending', 'delivered', 'failed']

const readDelivery = (row: Row): DeliveryRecord => ({
  id: text(row, 'delivery_id'),
  endpointId: text(row, 'endpoint_id'),
  event: readEvent(row),
  state: word(row, 'state', states),
  attempts: integer(row, 'attempts'),
  dueAt: integerOrNull(row, 'due_at'),
  createdAt: integer(row, 'delivery_created_at'),
  attemptedAt: integerOrNull(row, 'attempted_at'),
  status: integerOrNull(row, 'status'),
  error: textOrNull(row, 'error'),
  durationMs: integerOrNull(row, 'duration_ms'),
})

const readDue = (row: Row): DueDelivery => {
  const email = textOrNull(row, 'email')
  return {
    id: text(row, 'delivery_id'),
    attempt: integer(row, 'attempts'),
    event: readEvent(row),
    endpoint: readEndpoint(row),
    organisationName: textOrNull(row, 'organisation_name'),
    recipient: email === null ? null : { email, language: text(row, 'language') },
  }
}

const readEvent = (row: Row): WebhookEvent => ({
  id: text(row, 'event_id'),
  organisationId: textOrNull(row, 'event_organisation_id'),
  type: text(row, 'type'),
  data: text(row, 'data'),
  createdAt: integer(row, 'event_created_at'),
})
