import type { AuditActor, AuditEvent, Target } from '../../audit-contract.ts'
import { type Operation, write } from '../operation.ts'
import { first, type Query, run } from '../query.ts'
import { integer, textOrNull } from '../row.ts'

/** A missing name is looked up, so that the audit log stays readable after the name has changed. */
export function* recordEvent(event: AuditEvent): Query<void> {
  const actor = yield* auditSubjectId(event.actor)
  const target = event.target === null ? null : yield* auditSubjectId(event.target)
  yield* run(
    'INSERT INTO audit_events (at, organisation_id, action, actor, target, details) VALUES (?, ?, ?, ?, ?, ?)',
    event.at,
    event.organisationId,
    event.action,
    actor,
    target,
    JSON.stringify(event.details),
  )
}

/** Records the events in the transaction of the change, and only if it took effect. */
export const audited = <Args extends unknown[], Result>(
  query: Operation<Args, Result>['query'],
  tookEffect: (result: Result) => boolean,
): Operation<[readonly AuditEvent[], ...Args], Result> =>
  write(function* (events: readonly AuditEvent[], ...args: Args): Query<Result> {
    const result = yield* query(...args)
    if (tookEffect(result)) for (const event of events) yield* recordEvent(event)
    return result
  })

function* auditSubjectId(subject: AuditActor | Target): Query<number> {
  const { kind, id } = subject
  const name = subject.name ?? (id === null ? null : yield* knownName(kind, id))
  const address = 'address' in subject ? subject.address : null
  // Two texts: PostgreSQL finds nulls by an index only with IS NULL.
  const find = `SELECT id FROM audit_parties WHERE ${id === null ? 'subject_id IS NULL' : 'subject_id = ?'}
    AND kind = ? AND name IS NOT DISTINCT FROM ? AND address IS NOT DISTINCT FROM ? LIMIT 1`
  const found = yield* first(find, ...(id === null ? [] : [id]), kind, name, address)
  if (found !== undefined) return integer(found, 'id')
  const insert = 'INSERT INTO audit_parties (kind, subject_id, name, address) VALUES (?, ?, ?, ?) RETURNING id'
  return integer((yield* first(insert, kind, id, name, address)) ?? {}, 'id')
}

const names: Partial<Record<(AuditActor | Target)['kind'], string>> = {
  account: 'SELECT email AS name FROM accounts WHERE id = ?',
  key: 'SELECT name FROM api_keys WHERE id = ?',
  organisation: 'SELECT name FROM organisations WHERE id = ?',
  invitation: 'SELECT email AS name FROM invitations WHERE id = ?',
}

function* knownName(kind: (AuditActor | Target)['kind'], id: string): Query<string | null> {
  const sql = names[kind]
  const row = sql === undefined ? undefined : yield* first(sql, id)
  return row === undefined ? null : textOrNull(row, 'name')
}
