import type { DatabaseSync } from 'node:sqlite'
import { auditActions } from '../../audit-actions.ts'
import { type AuditFilter, actorKinds, type RecordedEvent, type Target, targetKinds } from '../../audit-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer, type Row, text, textOrNull, word } from '../row.ts'

type Place = { at: number; sequence: number }

/** By time, those of one millisecond in the order in which they came. */
export const listEvents = (db: DatabaseSync, filter: AuditFilter): { items: RecordedEvent[]; hasMore: boolean } => {
  const { at, sequence } = placeOf(filter.before)
  const statement = prepared(db, filter.organisationId === null ? everybodys : anOrganisations)
  const rows = statement.all({
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

const matching = (subject: string, wanted: string): string =>
  `(${wanted} IS NULL OR ${subject}.subject_id = ${wanted} OR instr(lower(${subject}.name), lower(${wanted})) > 0)`

const listSql = (scope: string): string => `
  SELECT events.sequence, at, organisation_id, action, details,
    actors.kind AS actor_kind, actors.subject_id AS actor_id, actors.name AS actor_name, actors.address AS actor_address,
    targets.kind AS target_kind, targets.subject_id AS target_id, targets.name AS target_name
  FROM audit_events AS events
  JOIN audit_parties AS actors ON actors.id = actor
  LEFT JOIN audit_parties AS targets ON targets.id = target
  WHERE ${scope} at >= $from AND at < $until AND (at, events.sequence) < ($at, $sequence)
    AND ($action IS NULL OR action = $action OR substr(action, 1, instr(action, '.') - 1) = $action)
    AND ${matching('actors', '$actor')} AND ${matching('targets', '$target')}
  ORDER BY at DESC, events.sequence DESC LIMIT $limit`

const everybodys = listSql('')
const anOrganisations = listSql('organisation_id = $organisation AND')

const placeOf = (cursor: string | null): Place => {
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
  details: JSON.parse(text(row, 'details')),
})

const targetIn = (row: Row): Target => ({
  kind: word(row, 'target_kind', targetKinds),
  id: textOrNull(row, 'target_id'),
  name: textOrNull(row, 'target_name'),
})
