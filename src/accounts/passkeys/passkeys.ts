import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { networkOf } from '../../base/network-of.ts'
import type { KnownAccount } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { PasskeyProof, PasskeyRecord } from '../../store/sign-in-contract.ts'
import { accountEvent } from '../account-event.ts'
import { createAttemptLimit } from '../attempt-limit.ts'
import { requireName } from '../require-name.ts'
import type { Confirmations, Holder } from '../sessions/confirmations.ts'
import type { SignedIn, Visitor } from '../sessions/sessions.ts'
import type { Entrance } from '../sign-in/sign-in-steps.ts'
import { createQuestions, optionsOfNew, optionsOfUse } from './passkey-challenges.ts'
import { relyingPartyOf } from './relying-party.ts'
import { checkNewPasskey, checkPasskeyUse, type NewPasskey, type PasskeyUse } from './webauthn.ts'

type PasskeyRooms = {
  store: Pick<Store, 'accounts' | 'sessions' | 'passkeys' | 'challenges'>
  clock: Clock
  entrance: Entrance
  confirmations: Confirmations
}

/** `siteUrl`: the address of the page that asks. */
export interface Passkeys {
  askSignIn(siteUrl: string, address: string): Promise<object>
  signIn(siteUrl: string, sent: PasskeyUse, visitor: Visitor): Promise<SignedIn>
  askNew(siteUrl: string, holder: Holder): Promise<object>
  add(siteUrl: string, holder: Holder, name: string, sent: NewPasskey): Promise<PasskeyRecord>
  askConfirmation(siteUrl: string, holder: Holder): Promise<object>
  /** Proves again who one is. */
  confirm(siteUrl: string, holder: Holder, sent: PasskeyUse): Promise<void>
  rename(holder: Holder, id: string, name: string): Promise<void>
  remove(holder: Holder, id: string): Promise<void>
}

const most = 20
const questions = { most: 100, perMs: 15 * 60_000 }

export const createPasskeys = (rooms: PasskeyRooms): Passkeys => {
  const { store, clock, entrance, confirmations } = rooms
  const { ask, take } = createQuestions(rooms)
  const perNetwork = createAttemptLimit(questions, clock)

  const require = async (accountId: string): Promise<KnownAccount> => {
    const known = await store.accounts.find(accountId)
    if (known === null) throw ApiError.of('not_signed_in', {})
    return known
  }

  /** Whose it is, once it has signed what was asked. `accountId`: to whom the question was put; null: to anybody. */
  const check = async (
    siteUrl: string,
    accountId: string | null,
    sent: PasskeyUse,
  ): Promise<{ known: KnownAccount; proof: PasskeyProof }> => {
    const party = relyingPartyOf(siteUrl)
    const challenge = await take('passkey', accountId, sent.clientDataJSON)
    const found = challenge === null ? null : await store.passkeys.findByCredential(sent.id)
    if (challenge === null || found === null || found.passkey.relyingParty !== party.id) throw invalidPasskey()
    const { passkey, known } = found
    const handle = sent.userHandle === null ? null : Buffer.from(sent.userHandle, 'base64url').toString()
    const isTheirs = (handle === null || handle === passkey.accountId) && passkey.accountId === (accountId ?? handle)
    const used = isTheirs ? await checkPasskeyUse(sent, challenge, party, passkey) : null
    if (used === null) throw invalidPasskey()
    return { known, proof: { kind: 'passkey', id: passkey.id, counter: used.counter } }
  }

  return {
    async askSignIn(siteUrl, address) {
      const party = relyingPartyOf(siteUrl)
      perNetwork.take(networkOf(address))
      return optionsOfUse(await ask('passkey', null), party, [])
    },
    async signIn(siteUrl, sent, visitor) {
      const { known, proof } = await check(siteUrl, null, sent)
      const entry = await entrance.enter(known, proof, visitor, 'passkey')
      if (entry?.outcome !== 'signed_in') throw invalidPasskey()
      return entry.signedIn
    },
    async askNew(siteUrl, holder) {
      const party = relyingPartyOf(siteUrl)
      confirmations.requireFresh(holder)
      const { accountId } = holder
      const { account } = await require(accountId)
      const known = await store.passkeys.list(accountId)
      if (known.length >= most) throw ApiError.of('too_many_passkeys', { limit: most })
      return optionsOfNew(await ask('new_passkey', accountId), party, { accountId, ...account }, known)
    },
    async add(siteUrl, holder, name, sent) {
      const party = relyingPartyOf(siteUrl)
      const { accountId, sessionId } = holder
      const checkedName = requireName(name)
      const challenge = await take('new_passkey', accountId, sent.clientDataJSON)
      const made = challenge === null ? null : await checkNewPasskey(sent, challenge, party)
      if (made === null) throw invalidPasskey()
      const createdAt = clock.now()
      const record: PasskeyRecord = {
        ...made,
        id: newId('pky'),
        accountId,
        name: checkedName,
        transports: sent.transports,
        relyingParty: party.id,
        createdAt,
        lastUsedAt: null,
      }
      const event = accountEvent('account.passkey_added', holder, createdAt, { name: checkedName })
      const outcome = await store.passkeys.insert(record, sessionId, most, event)
      if (outcome === 'too_many') throw ApiError.of('too_many_passkeys', { limit: most })
      if (outcome === 'taken') throw invalidPasskey()
      return record
    },
    async askConfirmation(siteUrl, { accountId }) {
      const party = relyingPartyOf(siteUrl)
      return optionsOfUse(await ask('passkey', accountId), party, await store.passkeys.list(accountId))
    },
    async confirm(siteUrl, { accountId, sessionId }, sent) {
      const { proof } = await check(siteUrl, accountId, sent)
      if (!(await store.passkeys.use(proof, accountId, clock.now()))) throw invalidPasskey()
      await store.sessions.confirm(sessionId, clock.now(), true)
    },
    async rename(holder, id, wanted) {
      const name = requireName(wanted)
      const event = accountEvent('account.passkey_renamed', holder, clock.now(), { name })
      if (!(await store.passkeys.rename(holder.accountId, id, name, event))) throw notFound(id)
    },
    async remove(holder, id) {
      confirmations.requireFresh(holder)
      const event = accountEvent('account.passkey_removed', holder, clock.now())
      const outcome = await store.passkeys.remove(holder.accountId, id, event)
      if (outcome === 'not_found') throw notFound(id)
      if (outcome === 'last_way_in') throw ApiError.of('last_way_in', {})
    },
  }
}

const invalidPasskey = (): ApiError => ApiError.of('invalid_passkey', {})
const notFound = (id: string): ApiError => ApiError.of('passkey_not_found', { id: id.slice(0, 64) })
