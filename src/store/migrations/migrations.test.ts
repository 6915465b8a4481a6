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
    emailSpellings: ['owner@example.com'],
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

test('requests that an earlier version settles, before the upgrade and after a rollback, have no speed and agree with the totals', async () => {
  using scratch = scratchDirectory()
  const earlier = migrations.slice(0, 28)
  const open = (): DatabaseSync => new DatabaseSync(join(scratch.path, 'helix.db'))
  const settleAsEarlier = (db: DatabaseSync, sequence: number): void =>
    db.exec(`
      INSERT INTO ledger_reservations (sequence, request_id, party, model, endpoint, is_stream, reserved_tokens, created_at)
        VALUES (${sequence}, 'req_${sequence}', 3, 'helix-v1', 'chat.completions', 1, 50, 1000);
      INSERT INTO ledger_settlements (reservation, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens,
          is_estimated, outcome, first_token_ms, duration_ms, ended_at, day)
        VALUES (${sequence}, 7, 0, 1000, 0, 0, 'completed', 50, 51, 2000, 20261115);
      INSERT INTO usage_days (party, day, model, requests, failed, client_closed, estimated, cost, prompt_tokens,
          cached_tokens, completion_tokens, reasoning_tokens, first_tokens, first_token_ms, duration_ms)
        VALUES (3, 20261115, 'helix-v1', 1, 0, 0, 0, 0, 7, 0, 1000, 0, 1, 50, 51)
        ON CONFLICT (party, day, model) DO UPDATE SET requests = requests + 1, prompt_tokens = prompt_tokens + 7,
          completion_tokens = completion_tokens + 1000, first_tokens = first_tokens + 1,
          first_token_ms = first_token_ms + 50, duration_ms = duration_ms + 51`)
  const begin = (db: DatabaseSync): unknown =>
    migrate(db, { migrations: earlier, backupDirectory: join(scratch.path, 'backups'), now: 0 })
  const before = open()
  begin(before)
  before.exec("INSERT INTO ledger_parties VALUES (3, 'org_old', 'key_old')")
  settleAsEarlier(before, 5)
  before.close()
  await (await openScratchStore(scratch.path))[Symbol.asyncDispose]()
  // The earlier version starts on the newer database.
  const rolledBack = open()
  expect(begin(rolledBack)).toBeNull()
  settleAsEarlier(rolledBack, 6)
  rolledBack.close()
  await using store = await openScratchStore(scratch.path)
  const [model] = await store.usage.largest('model', { fromDay: 20261115, toDay: 20261115, limit: 1 })
  expect(model).toMatchObject({ completionTokens: 2000, timedTokens: 0, timedMs: 0 })
  expect(await store.usage.verify()).toMatchObject({ checkedRequests: 2, differences: [] })
})
