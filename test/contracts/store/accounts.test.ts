import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { newId } from '../../../src/base/ids.ts'
import type { NewAccount, SessionRecord } from '../../../src/store/account-contract.ts'
import type { Store } from '../../../src/store/contract.ts'
import { migrate } from '../../../src/store/sqlite/migrations/migrate.ts'
import { migrations } from '../../../src/store/sqlite/migrations/migrations.ts'
import { keyRecordOf } from '../../harness/key-record.ts'
import { openScratchStore, scratchDirectory } from '../../harness/scratch-store.ts'

const hashOf = (text: string): Uint8Array => Buffer.from(text.padEnd(32))
const accountOf = (emailKey: string): NewAccount => ({
  id: newId('usr'),
  email: emailKey,
  emailKey,
  language: 'en',
  createdAt: 1_000,
  passwordHash: 'first hash',
  organisationName: 'Their own',
})
const claim = async (store: Store): Promise<NewAccount> => {
  const owner = accountOf('owner@example.com')
  await store.links.replaceSetup(hashOf('setup'), 1_000)
  expect(await store.accounts.claim(hashOf('setup'), owner)).toBe('claimed')
  return owner
}
const byPassword = { first: { kind: 'password', hash: 'first hash' }, second: null, challengeHash: null } as const

const sessionOf = async (
  store: Store,
  accountId: string,
  changes: Partial<SessionRecord> = {},
): Promise<SessionRecord> => ({
  id: newId('ses'),
  accountId,
  organisationId: (await store.accounts.find(accountId))?.organisation.id ?? '',
  createdAt: 1_000,
  lastSeenAt: 1_000,
  expiresAt: 9_000,
  address: '192.0.2.1',
  hasSecondFactor: false,
  confirmedAt: 0,
  userAgent: 'test',
  ...changes,
})

test('a database of the version before keeps its keys, and its first owner takes them over', async () => {
  using scratch = scratchDirectory()
  const db = new DatabaseSync(join(scratch.path, 'helix.db'))
  migrate(db, { migrations: migrations.slice(0, 2), backupDirectory: join(scratch.path, 'backups'), now: 0 })
  db.exec("INSERT INTO organisations VALUES ('org_old', 'Old', 5)")
  db.exec("INSERT INTO api_keys VALUES ('key_old', 'org_old', 'k', x'00', 'hx_live_abcd', 'wxyz', 6, NULL, NULL)")
  db.close()
  await using store = await openScratchStore(scratch.path)
  expect(await store.accounts.isClaimed()).toBe(false)
  const owner = await claim(store)
  expect(await store.accounts.find(owner.id)).toMatchObject({
    account: { email: 'owner@example.com', isOwner: true },
    organisation: { id: 'org_old', name: 'Their own' },
  })
  expect(await store.keys.list({ organisationId: 'org_old' })).toMatchObject([{ id: 'key_old', createdBy: null }])
})

test('a sign-in that was under way while the password changed opens no session', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await claim(store)
  const mine = await sessionOf(store, id)
  expect(await store.sessions.open(mine, hashOf('mine'), byPassword, null)).toBe(true)
  const late = await sessionOf(store, id)
  const [changed, opened] = await Promise.all([
    store.accounts.changePassword(mine.id, 'second hash', hashOf('rotated')),
    store.sessions.open(late, hashOf('late'), byPassword, null),
  ])
  expect([changed, opened]).toEqual([true, false])
  expect(await store.sessions.find(hashOf('mine'))).toBeNull()
  expect(await store.sessions.find(hashOf('rotated'))).toMatchObject({ session: mine })
  expect(await store.accounts.changePassword('ses_gone', 'third hash', hashOf('x'))).toBe(false)
  expect(await store.accounts.find(id)).toMatchObject({ passwordHash: 'second hash' })
})

test('expired sessions and links are removed when new ones are created', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await claim(store)
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

test('an account has fifty sessions at most: with one more, the one used longest ago ends', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await claim(store)
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
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await claim(store)
  await store.sessions.open(await sessionOf(store, id), hashOf('mine'), byPassword, null)
  const db = new DatabaseSync(join(scratch.path, 'helix.db'), { timeout: 5_000 })
  db.exec('DELETE FROM memberships')
  db.close()
  expect(await store.sessions.find(hashOf('mine'))).toBeNull()
})

test('an organisation that others belong to stays when one of them leaves, with what the one made', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  await claim(store)
  const [anna, ben] = [accountOf('anna@example.com'), accountOf('ben@example.com')]
  expect(await store.accounts.create(anna, 'org_shared', null)).toBe('created')
  expect(await store.accounts.create(ben, 'org_ben', null)).toBe('created')
  const db = new DatabaseSync(join(scratch.path, 'helix.db'), { timeout: 5_000 })
  db.prepare("INSERT INTO memberships VALUES (?, 'org_shared', 'member', 0)").run(ben.id)
  db.close()
  await store.keys.insert(keyRecordOf('org_shared', { id: 'key_shared', createdBy: ben.id }), hashOf('1'))
  await store.keys.insert(keyRecordOf('org_ben', { id: 'key_ben', createdBy: ben.id }), hashOf('2'))
  const next = { id: 'org_next', name: 'Next', createdAt: 0 }
  expect(await store.accounts.remove(ben.id, next)).toEqual({ outcome: 'deleted', keyIds: ['key_ben'] })
  expect(await store.keys.list('all')).toMatchObject([{ id: 'key_shared', createdBy: null }])
  expect(await store.teams.members('org_shared')).toMatchObject([{ accountId: anna.id }])
  expect(await store.accounts.remove(ben.id, next)).toEqual({ outcome: 'not_found' })
})
