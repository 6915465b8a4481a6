import type { AuditAction } from '../store/audit-actions.ts'
import type { AuditDetails, AuditEvent } from '../store/audit-contract.ts'
import { type Actor, auditActorOf } from './actor.ts'

/** What somebody did with their own account. It stands in no organisation's audit: only the owner of the server reads it. */
export const accountEvent = (
  action: AuditAction,
  by: Pick<Actor, 'accountId' | 'address'>,
  at: number,
  details: AuditDetails = {},
): AuditEvent => ({
  at,
  organisationId: null,
  actor: auditActorOf(by),
  action,
  target: { kind: 'account', id: by.accountId, name: null },
  details,
})
