import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import type { PasskeyRecord } from '../../../src/store/sign-in-contract.ts'
import type { SignInProof } from '../../../src/store/sign-in-proof.ts'
import {
  accountOf,
  byPassword,
  claimServer,
  eventOf,
  hashOf,
  sessionOf,
  signUp,
} from '../../harness/account-records.ts'
import { eachStore } from './each-store.ts'

const openAccount = async (store: Store) => {
  await claimServer(store)
  const { id, organisationId } = await signUp(store, 'ann@example.com')
  const session = await sessionOf(store, id)
  await store.sessions.open(session, hashOf('session'), byPassword, null)
  return { id, organisationId, session }
}

const hasSecondFactor = async (store: Store): Promise<boolean | undefined> =>
  (await store.sessions.find(hashOf('session')))?.session.hasSecondFactor

const switchOn = async (store: Store, session: { id: string; accountId: string }): Promise<void> => {
  expect(await store.secondFactors.begin(session.accountId, 'sealed', 1_000)).toBe(true)
  const confirmed = { sealedSecret: 'sealed', step: 10, codeHashes: ['a', 'b'].map(hashOf), now: 2_000 }
  expect(await store.secondFactors.confirm(session, confirmed)).toBe(true)
}

const passkeyOf = (accountId: string, changes: Partial<PasskeyRecord> = {}): PasskeyRecord => ({
  ...{ id: `pk_${crypto.randomUUID()}`, credentialId: crypto.randomUUID(), accountId, name: 'Phone' },
  ...{ publicKey: new Uint8Array([1, 2, 3]), counter: 0, transports: ['internal', 'hybrid'] },
  ...{ relyingParty: 'localhost', createdAt: 1_000, lastUsedAt: null },
  ...changes,
})

eachStore((create) => {
  test('a second factor is on once its first code was confirmed, and every code is used once', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id, organisationId, session } = await openAccount(store)
    const { secondFactors } = store
    expect(await secondFactors.replaceRecoveryCodes(id, [hashOf('x')])).toBe(false)
    await secondFactors.begin(id, 'forgotten', 1_000)
    await switchOn(store, session)
    expect(await secondFactors.begin(id, 'another', 3_000)).toBe(false)
    expect(await secondFactors.find(id)).toEqual({ sealedSecret: 'sealed', lastStep: 10, confirmedAt: 2_000 })
    expect(await hasSecondFactor(store)).toBe(true)
    expect(await secondFactors.rules(organisationId)).toEqual({ secondFactorRequired: false, membersWithout: 0 })
    expect(await secondFactors.use(id, { kind: 'totp', step: 10 })).toBe(false)
    const both = [1, 2].map(() => secondFactors.use(id, { kind: 'totp', step: 11 }))
    expect((await Promise.all(both)).sort()).toEqual([false, true])
    const codes = [1, 2].map(() => secondFactors.use(id, { kind: 'recovery', hash: hashOf('a') }))
    expect((await Promise.all(codes)).sort()).toEqual([false, true])
    expect(await secondFactors.recoveryCodesLeft(id)).toBe(1)
    expect(await secondFactors.replaceRecoveryCodes(id, ['c', 'd', 'e'].map(hashOf))).toBe(true)
    expect(await secondFactors.use(id, { kind: 'recovery', hash: hashOf('b') })).toBe(false)
    expect(await secondFactors.recoveryCodesLeft(id)).toBe(3)
    expect(await secondFactors.remove(id, { kind: 'totp', step: 11 })).toBe(false)
    expect(await secondFactors.remove(id, { kind: 'recovery', hash: hashOf('c') })).toBe(true)
    expect(await secondFactors.find(id)).toBeNull()
    expect(await hasSecondFactor(store)).toBe(false)
  })

  test('a sign-in has to prove everything that is on, and a wrong code leaves the challenge', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id, session } = await openAccount(store)
    await switchOn(store, session)
    const challenge = { kind: 'second_step', accountId: id, content: '{}', triesLeft: 3, expiresAt: 5_000 } as const
    await store.challenges.insert(challenge, hashOf('challenge'), 1_000)
    const open = async (proof: Partial<SignInProof>) =>
      store.sessions.open(await sessionOf(store, id), hashOf(crypto.randomUUID()), { ...byPassword, ...proof }, null)
    const challengeHash = hashOf('challenge')
    expect(await open({})).toBe(false)
    expect(await open({ second: { kind: 'totp', step: 10 }, challengeHash })).toBe(false)
    expect(await open({ second: { kind: 'totp', step: 11 }, challengeHash })).toBe(true)
    expect(await open({ second: { kind: 'totp', step: 12 }, challengeHash })).toBe(false)
    expect(await open({ second: { kind: 'totp', step: 12 } })).toBe(true)
    expect(await store.secondFactors.reset(id)).toBe(true)
    expect(await store.secondFactors.reset(id)).toBe(false)
    expect(await store.sessions.list(id, 1_000)).toEqual([])
  })

  test('an organisation that requires a second factor says how many members lack one', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id, organisationId } = await openAccount(store)
    const { id: other } = await signUp(store, 'ben@example.com')
    const event = eventOf('organisation.rules_changed')
    expect(await store.secondFactors.require({ organisationId, accountId: other }, true, event)).toEqual({
      ...{ outcome: 'role_too_low', needed: 'owner' },
    })
    expect(await store.secondFactors.require({ organisationId, accountId: id }, true, event)).toEqual({
      outcome: 'changed',
    })
    expect(await store.secondFactors.rules(organisationId)).toEqual({ secondFactorRequired: true, membersWithout: 1 })
    expect(await store.sessions.find(hashOf('session'))).toMatchObject({ needsSecondFactor: true })
    expect(await store.secondFactors.rules('org_gone')).toBeNull()
  })

  test('a passkey is its account’s, counts upwards, and the last sign-in method stays', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id, session } = await openAccount(store)
    const { passkeys } = store
    const [phone, laptop] = [passkeyOf(id, { counter: 5 }), passkeyOf(id, { name: 'Laptop' })]
    expect(await passkeys.insert(phone, session.id, 2)).toBe('added')
    expect(await hasSecondFactor(store)).toBe(true)
    expect(await passkeys.insert({ ...laptop, credentialId: phone.credentialId }, session.id, 2)).toBe('taken')
    expect(await passkeys.insert(laptop, session.id, 2)).toBe('added')
    expect(await passkeys.insert(passkeyOf(id), session.id, 2)).toBe('too_many')
    expect(await passkeys.list(id)).toEqual([phone, laptop])
    expect(await passkeys.findByCredential(phone.credentialId)).toMatchObject({
      passkey: phone,
      known: { account: { id } },
    })
    expect(await passkeys.findByCredential('unknown')).toBeNull()
    const use = (record: PasskeyRecord, counter: number, accountId = id) =>
      passkeys.use({ kind: 'passkey', id: record.id, counter }, accountId, 3_000)
    expect([await use(phone, 5), await use(phone, 6), await use(phone, 6)]).toEqual([false, true, false])
    // Authenticators that do not count always say 0.
    expect([await use(laptop, 0), await use(laptop, 0)]).toEqual([true, true])
    expect(await use(phone, 9, 'usr_other')).toBe(false)
    expect(await passkeys.rename('usr_other', phone.id, 'Stolen')).toBe(false)
    expect(await passkeys.rename(id, phone.id, '電話')).toBe(true)
    expect(await passkeys.list(id)).toMatchObject([{ name: '電話', counter: 6, lastUsedAt: 3_000 }, { name: 'Laptop' }])
    expect(await passkeys.remove('usr_other', phone.id)).toBe('not_found')
    expect(await passkeys.remove(id, phone.id)).toBe('removed')
    expect(await passkeys.remove(id, laptop.id)).toBe('removed')
    expect(await hasSecondFactor(store)).toBe(false)
  })

  test('an account at another provider belongs to one account here, and the last way in stays', async () => {
    await using data = await create()
    await using store = await data.open()
    await claimServer(store)
    const account = { ...accountOf('ann@example.com'), passwordHash: null }
    const identity = {
      ...{ id: 'idn_1', accountId: account.id, issuer: 'https://a.example', subject: '1', email: 'ann@a.example' },
      ...{ createdAt: 1_000, lastUsedAt: null },
    }
    const from = { identity, emailVerified: true, name: 'Ann' }
    expect(await store.accounts.create({ ...account, from }, 'org_ann', null)).toBe('created')
    expect(await store.identities.find('https://a.example', '1')).toMatchObject({
      account: { id: account.id, name: 'Ann', emailVerified: true, hasPassword: false },
      passwordHash: null,
    })
    const { id: ben } = await signUp(store, 'ben@example.com')
    expect(await store.identities.connect({ ...identity, id: 'idn_2', accountId: ben })).toBe('taken')
    expect(await store.identities.connect({ ...identity, id: 'idn_3', subject: '2' })).toBe('another')
    expect(await store.identities.connect({ ...identity, id: 'idn_4' })).toBe('connected')
    const other = { ...identity, id: 'idn_5', issuer: 'https://b.example', email: null }
    expect(await store.identities.remove(account.id, 'idn_1')).toBe('last_sign_in_method')
    expect(await store.identities.connect(other)).toBe('connected')
    const proof = {
      first: { kind: 'identity', issuer: other.issuer, subject: '1' },
      second: null,
      challengeHash: null,
    } as const
    expect(await store.sessions.open(await sessionOf(store, account.id), hashOf('ann'), proof, null)).toBe(true)
    expect(await store.sessions.open(await sessionOf(store, ben), hashOf('ben'), proof, null)).toBe(false)
    expect(await store.identities.list(account.id)).toEqual([identity, { ...other, lastUsedAt: 1_000 }])
    expect(await store.identities.remove(ben, 'idn_1')).toBe('not_found')
    expect(await store.identities.remove(account.id, 'idn_1')).toBe('removed')
    expect(await store.identities.remove(account.id, 'idn_5')).toBe('last_sign_in_method')
  })

  test('a challenge allows so many attempts, is taken once, and ends with its time', async () => {
    await using data = await create()
    await using store = await data.open()
    const { challenges } = store
    const record = { kind: 'passkey', accountId: null, content: '{"問":1}', triesLeft: 2, expiresAt: 5_000 } as const
    const insert = (token: string) => challenges.insert(record, hashOf(token), 1_000)
    await insert('one')
    expect(await challenges.attempt('provider', hashOf('one'), 2_000)).toBeNull()
    expect(await challenges.attempt('passkey', hashOf('one'), 5_000)).toBeNull()
    const attempts = await Promise.all([1, 2, 3].map(() => challenges.attempt('passkey', hashOf('one'), 2_000)))
    expect(attempts.map((attempt) => attempt?.triesLeft ?? -1).sort()).toEqual([-1, 0, 1])
    const taken = await Promise.all([1, 2].map(() => challenges.take('passkey', hashOf('one'), 2_000)))
    expect(taken.filter((one) => one !== null)).toEqual([{ ...record, triesLeft: 0 }])
    await insert('two')
    await challenges.insert(record, hashOf('three'), 5_000)
    expect(await challenges.take('passkey', hashOf('two'), 2_000)).toBeNull()
  })
})
