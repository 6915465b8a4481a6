import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Store } from '../../store/contract.ts'
import type { PasskeyRecord } from '../../store/sign-in-contract.ts'
import { accountEvent } from '../audit-event.ts'
import { requireName } from '../require-name.ts'
import type { Confirmations, SessionActor } from '../sessions/confirmations.ts'
import { createPasskeyChallenges, registrationOptions } from './passkey-challenges.ts'
import { createRelyingParty } from './relying-party.ts'
import { checkNewPasskey, type NewPasskey } from './webauthn.ts'

type PasskeysDependencies = {
  store: Pick<Store, 'accounts' | 'passkeys' | 'challenges'>
  clock: Clock
  confirmations: Pick<Confirmations, 'requireFresh'>
}

const maxPasskeys = 20

/** The passkeys of an account. `siteUrl` is the address of the page that registers one. */
export const createPasskeys = ({ store, clock, confirmations }: PasskeysDependencies) => {
  const challenges = createPasskeyChallenges({ store, clock })
  return {
    /** For `navigator.credentials.create`. */
    async registrationOptions(siteUrl: string, by: SessionActor) {
      const relyingParty = createRelyingParty(siteUrl)
      confirmations.requireFresh(by)
      const { accountId } = by
      const { account } = (await store.accounts.find(accountId)) ?? {}
      if (account === undefined) throw ApiError.of('not_signed_in', {})
      const existing = await store.passkeys.list(accountId)
      if (existing.length >= maxPasskeys) throw ApiError.of('too_many_passkeys', { limit: maxPasskeys })
      const challenge = await challenges.create('new_passkey', accountId)
      return registrationOptions(challenge, relyingParty, { accountId, ...account }, existing)
    },
    async add(siteUrl: string, by: SessionActor, text: string, sent: NewPasskey): Promise<PasskeyRecord> {
      const relyingParty = createRelyingParty(siteUrl)
      const { accountId, sessionId } = by
      const name = requireName(text)
      const challenge = await challenges.use('new_passkey', accountId, sent.clientDataJSON)
      const checked = challenge === null ? null : await checkNewPasskey(sent, challenge, relyingParty)
      if (checked === null) throw invalidPasskey()
      const createdAt = clock.now()
      const record: PasskeyRecord = {
        ...checked,
        id: newId('pky'),
        accountId,
        name,
        transports: sent.transports,
        relyingParty: relyingParty.id,
        createdAt,
        lastUsedAt: null,
      }
      const event = accountEvent('account.passkey_added', by, createdAt, { name })
      const outcome = await store.passkeys.insert(record, sessionId, maxPasskeys, event)
      if (outcome === 'too_many') throw ApiError.of('too_many_passkeys', { limit: maxPasskeys })
      if (outcome === 'taken') throw invalidPasskey()
      return record
    },
    async rename(by: SessionActor, id: string, text: string): Promise<void> {
      const name = requireName(text)
      const event = accountEvent('account.passkey_renamed', by, clock.now(), { name })
      if (!(await store.passkeys.rename(by.accountId, id, name, event))) throw notFound(id)
    },
    async remove(by: SessionActor, id: string): Promise<void> {
      confirmations.requireFresh(by)
      const event = accountEvent('account.passkey_removed', by, clock.now())
      const outcome = await store.passkeys.remove(by.accountId, id, event)
      if (outcome === 'not_found') throw notFound(id)
      if (outcome === 'last_sign_in_method') throw ApiError.of('last_sign_in_method', {})
    },
  }
}

export const invalidPasskey = (): ApiError => ApiError.of('invalid_passkey', {})
const notFound = (id: string): ApiError => ApiError.of('passkey_not_found', { id: id.slice(0, 64) })
