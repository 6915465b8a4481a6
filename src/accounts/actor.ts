import type { AuditActor } from '../store/audit-contract.ts'

/** Somebody who is signed in and does something, and where they are. */
export type Actor = { accountId: string; sessionId: string; address: string }

/** The same, for an organisation. */
export type MemberActor = Actor & { organisationId: string }

/** As the audit names them; it looks the email up by itself. */
export const auditActorOf = ({ accountId, address }: Pick<Actor, 'accountId' | 'address'>): AuditActor => ({
  kind: 'account',
  id: accountId,
  name: null,
  address,
})
