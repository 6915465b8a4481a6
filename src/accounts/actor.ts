import type { AuditActor } from '../store/audit-contract.ts'

/** A signed-in user who does something, and the address they do it from. */
export type Actor = { accountId: string; sessionId: string; address: string }

/** The same, acting for an organisation. */
export type MemberActor = Actor & { organisationId: string }

/** The store fills in the email as the name. */
export const toAuditActor = ({ accountId, address }: Pick<Actor, 'accountId' | 'address'>): AuditActor => ({
  kind: 'account',
  id: accountId,
  name: null,
  address,
})
