import type { AuditAction } from '../store/audit-actions.ts'
import type { AuditActor, AuditDetails, AuditEvent, Target } from '../store/audit-contract.ts'
import { type Actor, type MemberActor, toAuditActor } from './actor.ts'

/** Without an organisation only the owner of the server can read the event. */
export const auditEvent = (
  action: AuditAction,
  actor: AuditActor,
  at: number,
  rest: Partial<Pick<AuditEvent, 'organisationId' | 'target' | 'details'>>,
): AuditEvent => ({ at, organisationId: null, actor, action, target: null, details: {}, ...rest })

/** What somebody did with their own account. */
export const accountEvent = (
  action: AuditAction,
  by: Pick<Actor, 'accountId' | 'address'>,
  at: number,
  details: AuditDetails = {},
): AuditEvent => auditEvent(action, toAuditActor(by), at, { target: accountTarget(by.accountId), details })

/** What a member did in their organisation. */
export const memberEvent = (
  action: AuditAction,
  by: MemberActor,
  at: number,
  target: Target,
  details: AuditDetails = {},
): AuditEvent => auditEvent(action, toAuditActor(by), at, { organisationId: by.organisationId, target, details })

export const accountTarget = (id: string): Target => ({ kind: 'account', id, name: null })
