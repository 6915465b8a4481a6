import { csvLine } from '../../base/csv.ts'
import type { RecordedEvent } from '../../store/audit-contract.ts'

export const csvHead = csvLine([
  'time',
  'action',
  'actor',
  'actor_kind',
  'actor_id',
  'address',
  'target',
  'target_kind',
  'target_id',
  'organisation_id',
  'details',
])

export const eventLine = ({ at, organisationId, actor, action, target, details }: RecordedEvent): string =>
  csvLine([
    new Date(at).toISOString(),
    action,
    actor.name,
    actor.kind,
    actor.id,
    actor.address,
    target?.name ?? null,
    target?.kind ?? null,
    target?.id ?? null,
    organisationId,
    Object.keys(details).length === 0 ? null : JSON.stringify(details),
  ])
