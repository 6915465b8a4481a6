import { abilities } from '../../accounts/teams/roles.ts'
import { integerText } from '../../http/read-query.ts'
import { array, nullable, object, optional, record } from '../../http/schema/containers.ts'
import { wrongType } from '../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described, named, type Schema, schema } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { auditActions } from '../../store/audit-actions.ts'
import { actorKinds, targetKinds } from '../../store/audit-contract.ts'
import { get, member, owner } from './operation.ts'
import { lastMomentMs, time } from './scalars.ts'

type Detail = string | number | boolean | null
const isDetail = (value: unknown): value is Detail =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)
const detail: Schema<Detail> = schema({ type: ['string', 'number', 'boolean', 'null'] }, (value) => {
  if (!isDetail(value)) throw wrongType('a string, a number or a boolean', value)
  return value
})

const nameFields = { id: nullable(string()), name: nullable(string()) }
const event = named(
  'AuditEvent',
  object({
    id: described('`before` of the page that follows it.', string()),
    at: time,
    organisationId: described('Null: it concerns a person or the server.', nullable(string())),
    actor: object({ kind: oneOf(...actorKinds), ...nameFields, address: nullable(string()) }),
    action: oneOf(...auditActions),
    target: nullable(object({ kind: oneOf(...targetKinds), ...nameFields })),
    details: record(detail),
  }),
)
export type AuditEvent = Shape<typeof event>

export const auditPage = object({ data: described('Newest first.', array(event)), hasMore: boolean })
export type AuditPage = Shape<typeof auditPage>

const text = optional(string({ maxLength: 254 }))
const moment = optional(integerText({ min: 0, max: lastMomentMs }))
const filters = {
  actor: optional(described('An ID, or part of a name.', string({ maxLength: 254 }))),
  action: optional(described('An action, or the part before its dot.', string({ maxLength: 254 }))),
  target: text,
  from: moment,
  until: moment,
}
export type AuditFilters = { [Name in keyof typeof filters]?: ReturnType<(typeof filters)[Name]> }
const listing = {
  query: object({ ...filters, before: text, limit: optional(integerText({ min: 1, max: 200 })) }),
  answer: auditPage,
}
const file = { query: object(filters), content: { 'text/csv': { type: 'string' } } }

export const auditOperations = {
  listAudit: get('/audit', member(abilities.seeAudit), 'Lists what was done in the organisation.', listing),
  exportAudit: get('/audit.csv', member(abilities.seeAudit), 'Downloads the same as a file.', file),
  listWholeAudit: get('/admin/audit', owner, 'Lists what was done in all organisations and on the server.', listing),
  exportWholeAudit: get('/admin/audit.csv', owner, 'Downloads the same as a file.', file),
}
