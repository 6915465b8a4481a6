import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { IdentityRecord } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { Actor } from '../actor.ts'
import { accountEvent } from '../audit-event.ts'
import type { Confirmations, SessionActor } from '../sessions/confirmations.ts'
import type { Visitor } from '../sessions/sessions.ts'
import type { Identity, Provider } from './provider.ts'
import { type ProviderAttempts, type ProviderReply, stateMismatch } from './provider-attempts.ts'

type ShownIdentity = Pick<IdentityRecord, 'id' | 'email' | 'createdAt' | 'lastUsedAt'> & {
  provider: string | null
  /** The provider's name, or its address if it is no longer configured. */
  name: string
}

type IdentitiesDependencies = {
  store: Pick<Store, 'identities'>
  clock: Clock
  providers: readonly Provider[]
  attempts: ProviderAttempts
  confirmations: Pick<Confirmations, 'requireFresh'>
}

export type Identities = ReturnType<typeof createIdentities>

/** The identities at providers that are connected to an account. */
export const createIdentities = (dependencies: IdentitiesDependencies) => {
  const { store, clock, providers, attempts, confirmations } = dependencies

  const connect = (identity: Identity, provider: Provider, by: Omit<Actor, 'sessionId'>) => {
    const event = accountEvent('account.identity_connected', by, clock.now(), { provider: provider.id })
    return store.identities.connect(createIdentityRecord(identity, by.accountId, clock.now()), event)
  }

  return {
    async list(accountId: string): Promise<ShownIdentity[]> {
      const found = await store.identities.list(accountId)
      return found.map(({ id, issuer, email, createdAt, lastUsedAt }) => {
        const provider = providers.find((each) => each.issuer === issuer)
        return { id, provider: provider?.id ?? null, name: provider?.name ?? issuer, email, createdAt, lastUsedAt }
      })
    },
    async beginConnect(providerId: string, siteUrl: string, visitor: Visitor, by: SessionActor) {
      confirmations.requireFresh(by)
      return attempts.start(providerId, siteUrl, visitor, { kind: 'connect', accountId: by.accountId })
    },
    async finishConnect(providerId: string, siteUrl: string, reply: ProviderReply, visitor: Visitor, by: Actor) {
      const attempt = await attempts.resume(providerId, reply.state, visitor)
      const { provider, purpose } = attempt
      if (purpose.kind !== 'connect' || purpose.accountId !== by.accountId) throw stateMismatch()
      const outcome = await connect(await attempts.identify(attempt, siteUrl, reply), provider, by)
      if (outcome === 'taken') throw ApiError.of('identity_taken', { name: provider.name })
      if (outcome === 'another') throw ApiError.of('identity_another', { name: provider.name })
    },
    connect,
    async disconnect(by: SessionActor, id: string) {
      confirmations.requireFresh(by)
      const event = accountEvent('account.identity_removed', by, clock.now())
      const outcome = await store.identities.remove(by.accountId, id, event)
      if (outcome === 'not_found') throw ApiError.of('identity_not_found', { id: id.slice(0, 64) })
      if (outcome === 'last_sign_in_method') throw ApiError.of('last_sign_in_method', {})
    },
  }
}

export const createIdentityRecord = (
  { issuer, subject, email }: Identity,
  accountId: string,
  createdAt: number,
): IdentityRecord => ({ id: newId('idn'), accountId, issuer, subject, email, createdAt, lastUsedAt: null })
