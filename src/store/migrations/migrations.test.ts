import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openScratchStore, scratchDirectory } from '../../../test/harness/scratch-store.ts'
import { newId } from '../../base/ids.ts'
import { migrate } from '../sqlite/migrate.ts'
import { migrations } from './migrations.ts'

/** A database of an earlier version, with an organisation and its key. */
const createEarlier = (path: string, version: number): void => {
  const db = new DatabaseSync(join(path, 'helix.db'))
  migrate(db, { migrations: migrations.slice(0, version), backupDirectory: join(path, 'backups'), now: 0 })
  db.exec("INSERT INTO organisations VALUES ('org_old', 'Old', 5)")
  db.exec("INSERT INTO api_keys VALUES ('key_old', 'org_old', 'k', x'00', 'hx_live_abcd', 'wxyz', 6, NULL, NULL)")
  db.close()
}

test('a database from before completions were stored keeps its rows and takes completions', async () => {
  using scratch = scratchDirectory()
  createEarlier(scratch.path, 1)
  await using store = await openScratchStore(scratch.path)
  expect(await store.organisations.first()).toEqual({ id: 'org_old', name: 'Old', createdAt: 5 })
  expect(await store.keys.findByHash(new Uint8Array(1))).toMatchObject({ record: { id: 'key_old' } })
  expect(readdirSync(join(scratch.path, 'backups'))).toHaveLength(1)
  const record = {
    ...{ id: newId('chatcmpl'), organisationId: 'org_old', createdAt: 1_000, model: 'helix-v1' },
    ...{ metadata: null, completion: '{"choices":[]}', messages: '[]' },
  }
  await store.completions.insert(record)
  expect(await store.completions.find('org_old', record.id)).toEqual(record)
})

test('a database from before accounts keeps its keys, and its first owner takes them over', async () => {
  using scratch = scratchDirectory()
  createEarlier(scratch.path, 2)
  await using store = await openScratchStore(scratch.path)
  expect(await store.accounts.isClaimed()).toBe(false)
  const owner = {
    ...({ id: newId('usr'), email: 'owner@example.com', emailKey: 'owner@example.com', language: 'en' } as const),
    ...{ createdAt: 1_000, passwordHash: 'hash', organisationName: 'Their own' },
  }
  await store.links.replaceSetup(new Uint8Array(32), 1_000)
  expect(await store.accounts.claim(new Uint8Array(32), owner)).toBe('claimed')
  expect(await store.accounts.find(owner.id)).toMatchObject({
    account: { email: 'owner@example.com', isOwner: true },
    organisation: { id: 'org_old', name: 'Their own' },
  })
  expect(await store.keys.list({ organisationId: 'org_old' })).toMatchObject([{ id: 'key_old', createdBy: null }])
})
