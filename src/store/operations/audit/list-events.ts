import { parseJsonText } from '../../../base/parse-json-text.ts'
import { auditActions } from '../../audit-actions.ts'
import {
  type AuditFilter,
  actorKinds,
  type NumberedEvent,
  type RecordedEvent,
  type Target,
  targetKinds,
} from '../../audit-contract.ts'
import { all, type Query, type Sql } from '../query.ts'

import { integer, type Row, text, textOrNull, word } from '../row.ts'

type Place = { at: number; sequence: number }

/** By time, then in the order of insertion. */
export function* listEvents(filter: AuditFilter): Query<{ items: RecordedEvent[]; hasMore: boolean }> {
  const { at, sequence } = readPlace(filter.before)
  const statement = filter.organisationId === null ? everybodys : anOrganisations
  const rows = yield* all(statement, {
    ...(filter.organisationId === null ? {} : { organisation: filter.organisationId }),
    at,
    sequence,
    from: filter.from ?? Number.MIN_SAFE_INTEGER,
    until: filter.until ?? Number.MAX_SAFE_INTEGER,
    action: filter.action,
    actor: filter.actor,
    target: filter.target,
    limit: filter.limit + 1,
  })
  return { items: rows.slice(0, filter.limit).map(recordedEvent), hasMore: rows.length > filter.limit }
}

const matching = (subject: string, wanted: string, find: string): string =>
  `(CAST(${wanted} AS TEXT) IS NULL OR ${subject}.subject_id = ${wanted}
    OR ${find}(lower(${subject}.name), lower(${wanted})) > 0)`

const selectEvents = `
  SELECT events.sequence, at, organisation_id, action, details,
    actors.kind AS actor_kind, actors.subject_id AS actor_id, actors.name AS actor_name, actors.address AS actor_address,
    targets.kind AS target_kind, targets.subject_id AS target_id, targets.name AS target_name
  FROM audit_events AS events
  JOIN audit_parties AS actors ON actors.id = actor
  LEFT JOIN audit_parties AS targets ON targets.id = target`

const sinceSql = `${selectEvents} WHERE events.sequence > ? ORDER BY events.sequence LIMIT ?`

export function* listEventsSince(sequence: number, limit: number): Query<NumberedEvent[]> {
  const rows = yield* all(sinceSql, sequence, limit)
  return rows.map((row) => ({ ...recordedEvent(row), sequence: integer(row, 'sequence') }))
}

/** `find` is the function for the position of a text in another. */
const listSql = (scope: string, find: string): string => `${selectEvents}
  WHERE ${scope} at >= $from AND at < $until AND (at, events.sequence) < ($at, $sequence)
    AND (CAST($action AS TEXT) IS NULL OR action = $action OR substr(action, 1, ${find}(action, '.')) = $action || '.')
    AND ${matching('actors', '$actor', find)} AND ${matching('targets', '$target', find)}
  ORDER BY at DESC, events.sequence DESC LIMIT $limit`

const inScope = (scope: string): Sql => ({ sqlite: listSql(scope, 'instr'), postgres: listSql(scope, 'strpos') })
const everybodys = inScope('')
const anOrganisations = inScope('organisation_id = $organisation AND')

const readPlace = (cursor: string | null): Place => {
  const [, at, sequence] = /^(-?\d+)\.(\d+)$/.exec(cursor ?? '') ?? []
  if (at === undefined || sequence === undefined) return { at: Number.MAX_SAFE_INTEGER, sequence: 0 }
  return { at: Number(at), sequence: Number(sequence) }
}

const recordedEvent = (row: Row): RecordedEvent => ({
  cursor: `${integer(row, 'at')}.${integer(row, 'sequence')}`,
  at: integer(row, 'at'),
  organisationId: textOrNull(row, 'organisation_id'),
  action: word(row, 'action', auditActions),
  actor: {
    kind: word(row, 'actor_kind', actorKinds),
    id: textOrNull(row, 'actor_id'),
    name: textOrNull(row, 'actor_name'),
    address: textOrNull(row, 'actor_address'),
  },
  target: row.target_kind === null ? null : targetIn(row),
  details: asDetails(parseJsonText(text(row, 'details'))),
})

/** True because only `addEvent` writes the column. */
const asDetails = (value: unknown): RecordedEvent['details'] => value as RecordedEvent['details']

const targetIn = (row: Row): Target => ({
  kind: word(row, 'target_kind', targetKinds),
  id: textOrNull(row, 'target_id'),
  name: textOrNull(row, 'target_name'),
})
