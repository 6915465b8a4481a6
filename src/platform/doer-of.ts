import type { Holder } from '../accounts/confirmations.ts'
import type { Doer, MemberDoer } from '../accounts/doer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Member, Person } from '../http/route.ts'
import type { AuditActor } from '../store/audit-contract.ts'

export const doerOf = (
  { origin }: Exchange,
  { accountId, sessionId }: Pick<Person, 'accountId' | 'sessionId'>,
): Doer => ({
  accountId,
  sessionId,
  address: origin.clientAddress,
})

export const holderOf = (exchange: Exchange, { hasSecondFactor, confirmedAt, ...person }: Person): Holder => ({
  ...doerOf(exchange, person),
  hasSecondFactor,
  confirmedAt,
})

export const memberDoerOf = (exchange: Exchange, member: Member): MemberDoer => ({
  ...doerOf(exchange, member),
  organisationId: member.organisationId,
})

/** Whoever may open the socket in the data directory. */
export const commandLine: AuditActor = { kind: 'command_line', id: null, name: null, address: null }
