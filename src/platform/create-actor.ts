import type { Actor, MemberActor } from '../accounts/actor.ts'
import type { SessionActor } from '../accounts/sessions/confirmations.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Member, Person } from '../operations/callers.ts'
import type { AuditActor } from '../store/audit-contract.ts'

export const createActor = (
  { origin }: Exchange,
  { accountId, sessionId }: Pick<Person, 'accountId' | 'sessionId'>,
): Actor => ({
  accountId,
  sessionId,
  address: origin.clientAddress,
})

export const createSessionActor = (
  exchange: Exchange,
  { hasSecondFactor, confirmedAt, ...person }: Person,
): SessionActor => ({
  ...createActor(exchange, person),
  hasSecondFactor,
  confirmedAt,
})

export const createMemberActor = (exchange: Exchange, member: Member): MemberActor => ({
  ...createActor(exchange, member),
  organisationId: member.organisationId,
})

/** The operator, who can open the socket in the data directory. */
export const commandLine: AuditActor = { kind: 'command_line', id: null, name: null, address: null }
