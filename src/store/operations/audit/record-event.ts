import type { DatabaseSync } from 'node:sqlite'
import type { AuditActor, AuditEvent, Target } from '../../audit-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { type Operation, write } from '../../sqlite/operations/operation.ts'
import { integer, textOrNull } from '../row.ts'

/** A missing name is looked up, so that the audit log stays readable after the name has changed. */
export const recordEvent = (db: DatabaseSync, event: AuditEvent): void => {
  const actor = auditSubjectId(db, event.actor)
  const target = event.target === null ? null : auditSubjectId(db, event.target)
  prepared(
    db,
    'INSERT INTO audit_events (at, organisation_id, action, actor, target, details) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(event.at, event.organisationId, event.action, actor, target, JSON.stringify(event.details))
}

/** Records the events in the transaction of the change, and only if it took effect. */
export const audited = <Args extends unknown[], Result>(
  run: Operation<Args, Result>['run'],
  tookEffect: (result: Result) => boolean,
): Operation<[readonly AuditEvent[], ...Args], Result> =>
  write((db: DatabaseSync, events: readonly AuditEvent[], ...args: Args): Result => {
    const result = run(db, ...args)
    if (tookEffect(result)) for (const event of events) recordEvent(db, event)
    return result
  })

const auditSubjectId = (db: DatabaseSync, subject: AuditActor | Target): number => {
  const { kind, id } = subject
  const name = subject.name ?? (id === null ? null : knownName(db, kind, id))
  const address = 'address' in subject ? subject.address : null
  const find = 'SELECT id FROM audit_parties WHERE subject_id IS ? AND kind = ? AND name IS ? AND address IS ? LIMIT 1'
  const found = prepared(db, find).get(id, kind, name, address)
  if (found !== undefined) return integer(found, 'id')
  const insert = 'INSERT INTO audit_parties (kind, subject_id, name, address) VALUES (?, ?, ?, ?) RETURNING id'
  return integer(prepared(db, insert).get(kind, id, name, address) ?? {}, 'id')
}

const names: Partial<Record<(AuditActor | Target)['kind'], string>> = {
  account: 'SELECT email AS name FROM accounts WHERE id = ?',
  key: 'SELECT name FROM api_keys WHERE id = ?',
  organisation: 'SELECT name FROM organisations WHERE id = ?',
  invitation: 'SELECT email AS name FROM invitations WHERE id = ?',
}

const knownName = (db: DatabaseSync, kind: (AuditActor | Target)['kind'], id: string): string | null => {
  const sql = names[kind]
  const row = sql === undefined ? undefined : prepared(db, sql).get(id)
  return row === undefined ? null : textOrNull(row, 'name')
}
