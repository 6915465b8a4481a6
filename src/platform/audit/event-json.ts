import type { RecordedEvent } from '../../store/audit-contract.ts'
import type { AuditEvent } from '../contract/audit.ts'

export const eventJson = ({
  cursor,
  at,
  organisationId,
  actor,
  action,
  target,
  details,
}: RecordedEvent): AuditEvent => ({
  ...{ id: cursor, at, organisationId, actor, action, target, details },
})
