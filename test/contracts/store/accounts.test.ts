import { expect, test } from 'vitest'
import { newId } from '../../../src/base/ids.ts'
import {
  accountOf,
  byPassword,
  claimServer,
  eventOf,
  hashOf,
  joinTeam,
  sessionOf,
} from '../../harness/account-records.ts'
import { keyRecordOf } from '../../harness/key-record.ts'
import { eachStore } from './each-store.ts'

const emailOf = (email: string) => ({ email, emailKey: email.toLowerCase(), emailSpellings: [email.toLowerCase()] })

eachStore((create) => {
  test('a sign-in that was under way while the password changed opens no session', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await claimServer(store)
    const mine = await sessionOf(store, id)
    expect(await store.sessions.open(mine, hashOf('mine'), byPassword, null)).toBe(true)
    const [during, after] = [await sessionOf(store, id), await sessionOf(store, id)]
    const [changed] = await Promise.all([
      store.accounts.changePassword(mine.id, 'second hash', hashOf('rotated')),
      store.sessions.open(during, hashOf('during'), byPassword, null),
    ])
    expect(changed).toBe(true)
    expect(await store.sessions.open(after, hashOf('after'), byPassword, null)).toBe(false)
    for (const token of ['during', 'after']) expect(await store.sessions.find(hashOf(token))).toBeNull()
    expect(await store.sessions.find(hashOf('mine'))).toBeNull()
    expect(await store.sessions.find(hashOf('rotated'))).toMatchObject({ session: mine })
    expect(await store.accounts.changePassword('ses_gone', 'third hash', hashOf('x'))).toBe(false)
    expect(await store.accounts.find(id)).toMatchObject({ passwordHash: 'second hash' })
  })

  test('expired sessions and links are removed when new ones are created', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await claimServer(store)
    await store.sessions.open(await sessionOf(store, id, { expiresAt: 2_000 }), hashOf('old'), byPassword, null)
    await store.sessions.open(await sessionOf(store, id, { createdAt: 2_000 }), hashOf('new'), byPassword, null)
    expect(await store.sessions.find(hashOf('old'))).toBeNull()
    const link = { kind: 'invitation', accountId: null } as const
    await store.links.insert({ ...link, createdAt: 0, expiresAt: 10 }, hashOf('old'))
    await store.links.insert({ ...link, createdAt: 10, expiresAt: 20 }, hashOf('new'))
    expect(await store.links.find('invitation', hashOf('old'), 0)).toBeNull()
    expect(await store.links.find('invitation', hashOf('new'), 19)).toMatchObject(link)
    expect(await store.links.find('invitation', hashOf('new'), 20)).toBeNull()
    expect(await store.links.find('password_reset', hashOf('new'), 19)).toBeNull()
  })

  test('expired sessions, links, challenges and old invitations are removed without a new one, a batch at a time', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await claimServer(store)
    const ends = { old: 2_000, older: 1_500, open: 9_000 }
    for (const [name, expiresAt] of Object.entries(ends)) {
      await store.sessions.open(await sessionOf(store, id, { expiresAt }), hashOf(name), byPassword, null)
      await store.links.insert({ kind: 'invitation', accountId: null, createdAt: 0, expiresAt }, hashOf(name))
      const challenge = { kind: 'provider', accountId: null, content: '{}', triesLeft: 1, expiresAt } as const
      await store.challenges.insert(challenge, hashOf(name), 0)
    }
    const by = { organisationId: (await sessionOf(store, id)).organisationId, accountId: id }
    const { organisationId } = by
    const invitation = { organisationId, role: 'member', email: 'a@example.com', invitedBy: id, createdAt: 1 } as const
    const ended = { ...invitation, id: newId('inv'), expiresAt: 2_000, acceptedAt: null, withdrawnAt: null }
    await store.invitations.insert(by, ended, hashOf('old'), 9, eventOf('invitation.made'))
    const counts = []
    for (let now = 2_000; now < 2_003; now += 1) counts.push(await store.accounts.removeExpired(now, 1))
    expect(counts).toEqual([3, 3, 0])
    expect(await store.sessions.find(hashOf('older'))).toBeNull()
    expect(await store.sessions.find(hashOf('open'))).not.toBeNull()
    expect(await store.links.find('invitation', hashOf('old'), 0)).toBeNull()
    expect(await store.links.find('invitation', hashOf('open'), 0)).not.toBeNull()
    expect(await store.challenges.take('provider', hashOf('old'), 0)).toBeNull()
    expect(await store.challenges.take('provider', hashOf('open'), 0)).not.toBeNull()
    expect(await store.invitations.find(hashOf('old'))).toMatchObject({ id: ended.id })
    await store.accounts.removeExpired(2_000 + 90 * 24 * 3_600_000, 10)
    expect(await store.invitations.find(hashOf('old'))).toBeNull()
  })

  test('an account has fifty sessions at most: with one more, the one used longest ago ends', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await claimServer(store)
    const open = async (token: string, lastSeenAt: number): Promise<string> => {
      const session = await sessionOf(store, id, { lastSeenAt })
      expect(await store.sessions.open(session, hashOf(token), byPassword, null)).toBe(true)
      return session.id
    }
    const first = await open('first', 1_000)
    await open('second', 1_001)
    for (let count = 2; count < 50; count += 1) await open(`later ${count}`, 1_000 + count)
    await store.sessions.touch(first, { now: 2_000, expiresAt: 9_000, address: '192.0.2.1' })
    await open('last', 2_001)
    expect(await store.sessions.list(id, 2_001)).toHaveLength(50)
    expect(await store.sessions.find(hashOf('second'))).toBeNull()
    for (const token of ['first', 'later 2', 'last']) expect(await store.sessions.find(hashOf(token))).not.toBeNull()
  })

  test('a former member has no session for the organisation', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await claimServer(store)
    await store.sessions.open(await sessionOf(store, id), hashOf('mine'), byPassword, null)
    await data.exec('DELETE FROM memberships')
    expect(await store.sessions.find(hashOf('mine'))).toBeNull()
  })

  test('an organisation that others belong to stays when one of them leaves, with what the one made', async () => {
    await using data = await create()
    await using store = await data.open()
    await claimServer(store)
    const [anna, ben] = [accountOf('anna@example.com'), accountOf('ben@example.com')]
    expect(await store.accounts.create(anna, 'org_shared', null)).toBe('created')
    expect(await store.accounts.create(ben, 'org_ben', null)).toBe('created')
    await joinTeam(store, { organisationId: 'org_shared', accountId: anna.id }, ben.id, 'member')
    await store.keys.insert(keyRecordOf('org_shared', { id: 'key_shared', createdBy: ben.id }), hashOf('1'))
    await store.keys.insert(keyRecordOf('org_ben', { id: 'key_ben', createdBy: ben.id }), hashOf('2'))
    const next = { id: 'org_next', name: 'Next', createdAt: 0 }
    expect(await store.accounts.remove(ben.id, next)).toEqual({ outcome: 'deleted', keyIds: ['key_ben'] })
    expect(await store.keys.list('all')).toMatchObject([{ id: 'key_shared', createdBy: null }])
    expect(await store.teams.members('org_shared')).toMatchObject([{ accountId: anna.id }])
    expect(await store.accounts.remove(ben.id, next)).toEqual({ outcome: 'not_found' })
  })

  test('of several claims at once exactly one succeeds, and nobody signs up before', async () => {
    await using data = await create()
    await using store = await data.open()
    const first = await store.organisations.first()
    expect(await store.accounts.create(accountOf('early@example.com'), 'org_early', null)).toBe('unclaimed')
    await store.links.replaceSetup(hashOf('old'), 1_000)
    await store.links.replaceSetup(hashOf('setup'), 1_000)
    const claims = ['a', 'b', 'c'].map((name) =>
      store.accounts.claim(hashOf('setup'), accountOf(`${name}@example.com`)),
    )
    expect((await Promise.all(claims)).sort()).toEqual(['claimed', 'invalid_link', 'invalid_link'])
    expect(await store.accounts.isClaimed()).toBe(true)
    expect(await store.accounts.claim(hashOf('old'), accountOf('d@example.com'))).toBe('invalid_link')
    expect(await store.links.replaceSetup(hashOf('again'), 1_000)).toBe(false)
    const accounts = await store.accounts.list()
    expect(accounts).toMatchObject([{ isOwner: true, hasPassword: true, emailVerified: false }])
    expect(await store.organisations.first()).toEqual({ ...first, name: 'Their own' })
  })

  test('an email belongs to one account, whoever signs up first', async () => {
    await using data = await create()
    await using store = await data.open()
    const owner = await claimServer(store)
    const both = [1, 2].map((n) => store.accounts.create(accountOf('same@example.com'), `org_${n}`, null))
    expect((await Promise.all(both)).sort()).toEqual(['created', 'email_taken'])
    const known = await store.accounts.findByEmail(['same@example.com'])
    const email = emailOf('Same@example.com')
    expect(await store.accounts.changeEmail(owner.id, email)).toBe('email_taken')
    expect(await store.accounts.changeEmail(known?.account.id ?? '', email)).toBe('changed')
    expect(await store.accounts.changeEmail('usr_gone', email)).toBe('email_taken')
    expect(await store.accounts.findByEmail(['same@example.com'])).toMatchObject({
      account: { email: 'Same@example.com' },
    })
    expect((await store.accounts.list()).map(({ isOwner }) => isOwner)).toEqual([true, false])
  })

  test('an email with several spellings belongs to one account, and accounts from before that have each one are told apart', async () => {
    await using data = await create()
    await using store = await data.open()
    const owner = await claimServer(store)
    const spellings = ['jo@münchen.example', 'jo@xn--mnchen-3ya.example']
    const [inLetters = '', inPunycode = ''] = spellings
    // From before: known by what was typed.
    const old = accountOf(inPunycode)
    expect(await store.accounts.create(old, 'org_old', null)).toBe('created')
    const both = { ...accountOf(inLetters), emailSpellings: spellings }
    expect(await store.accounts.create(both, 'org_new', null)).toBe('email_taken')
    const email = { email: inLetters, emailKey: inLetters, emailSpellings: spellings }
    expect(await store.accounts.changeEmail(owner.id, email)).toBe('email_taken')
    expect(await store.accounts.findByEmail(spellings)).toMatchObject({ account: { id: old.id } })
    expect(await store.accounts.changeEmail(old.id, email)).toBe('changed')
    // Nor did anything keep a second one from being created then.
    const second = accountOf(inPunycode)
    expect(await store.accounts.create(second, 'org_second', null)).toBe('created')
    expect(await store.accounts.findByEmail(spellings)).toMatchObject({ account: { id: old.id } })
    expect(await store.accounts.findByEmail(spellings.toReversed())).toMatchObject({ account: { id: second.id } })
    expect(await store.accounts.findByEmail([])).toBeNull()
  })

  test('a link is used once, for what it was sent for, and a change of password ends every session', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await claimServer(store)
    await store.sessions.open(await sessionOf(store, id), hashOf('mine'), byPassword, null)
    const send = (kind: 'password_reset' | 'email_verification' | 'email_change', token: string) =>
      store.links.insert({ kind, accountId: id, createdAt: 1_000, expiresAt: 5_000 }, hashOf(token))
    await send('email_verification', 'verify')
    expect(await store.accounts.resetPassword(hashOf('verify'), 'stolen', 2_000)).toBeNull()
    expect(await store.accounts.verifyEmail(hashOf('verify'), 5_000)).toBe(false)
    const both = [1, 2].map(() => store.accounts.verifyEmail(hashOf('verify'), 2_000))
    expect((await Promise.all(both)).sort()).toEqual([false, true])
    await send('password_reset', 'reset')
    await send('email_change', 'other address')
    expect(await store.accounts.resetPassword(hashOf('reset'), 'second hash', 2_000)).toEqual({ accountId: id })
    expect(await store.accounts.resetPassword(hashOf('reset'), 'third hash', 2_000)).toBeNull()
    expect(await store.sessions.list(id, 2_000)).toEqual([])
    const email = emailOf('new@example.com')
    expect(await store.accounts.confirmEmail(hashOf('other address'), email, 2_000)).toBe('not_found')
    await send('email_change', 'wanted')
    expect(await store.accounts.confirmEmail(hashOf('wanted'), email, 2_000)).toBe('changed')
    expect(await store.accounts.find(id)).toMatchObject({
      account: { email: 'new@example.com', emailVerified: true },
      passwordHash: 'second hash',
    })
  })

  test('sessions are those of their account, most recently seen first', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await claimServer(store)
    const [one, other] = [await sessionOf(store, id), await sessionOf(store, id, { expiresAt: 4_000 })]
    for (const session of [one, other]) await store.sessions.open(session, hashOf(session.id), byPassword, null)
    expect((await store.sessions.list(id, 1_000)).map((session) => session.id)).toEqual([other.id, one.id])
    await store.sessions.touch(one.id, { now: 2_000, expiresAt: 8_000, address: '192.0.2.2' })
    await store.sessions.confirm(one.id, 3_000, true)
    await store.sessions.confirm(one.id, 3_500, false)
    expect(await store.sessions.list(id, 4_000)).toEqual([
      { ...one, lastSeenAt: 2_000, expiresAt: 8_000, address: '192.0.2.2', confirmedAt: 3_500, hasSecondFactor: true },
    ])
    expect(await store.accounts.find(id)).toMatchObject({ account: { lastSeenAt: 2_000 } })
    const replacing = await sessionOf(store, id)
    expect(await store.sessions.open(replacing, hashOf('new'), byPassword, hashOf(one.id))).toBe(true)
    expect(await store.sessions.find(hashOf(one.id))).toBeNull()
    expect(await store.sessions.remove('usr_other', replacing.id)).toBe(false)
    expect(await store.sessions.remove(id, replacing.id)).toBe(true)
    expect(await store.sessions.remove(id, replacing.id)).toBe(false)
  })

  test('the last owner of the server or of a team cannot leave it', async () => {
    await using data = await create()
    await using store = await data.open()
    const owner = await claimServer(store)
    const [anna, ben] = [accountOf('anna@example.com'), accountOf('ben@example.com')]
    await store.accounts.create(anna, 'org_anna', null)
    await store.accounts.create(ben, 'org_ben', null)
    await joinTeam(store, { organisationId: 'org_anna', accountId: anna.id }, ben.id, 'admin')
    const next = { id: 'org_next', name: 'Next', createdAt: 2_000 }
    expect(await store.accounts.remove(owner.id, next)).toEqual({ outcome: 'last_owner' })
    expect(await store.accounts.remove(anna.id, next)).toEqual({ outcome: 'last_organisation_owner' })
    expect(await store.accounts.remove(ben.id, next)).toMatchObject({ outcome: 'deleted' })
    expect(await store.accounts.remove(anna.id, next)).toMatchObject({ outcome: 'deleted' })
    expect(await store.accounts.remove(owner.id, next)).toMatchObject({ outcome: 'deleted' })
    expect(await store.accounts.isClaimed()).toBe(false)
    expect(await store.organisations.list()).toMatchObject([next])
  })
})
