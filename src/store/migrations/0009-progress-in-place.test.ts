import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openScratchStore, scratchDirectory } from '../../../test/harness/scratch-store.ts'
import { systemClock } from '../../base/clock.ts'
import { lockDataDirectory } from '../data-directory.ts'
import { restoreDatabase } from '../sqlite/database/restore-database.ts'
import { migrate } from '../sqlite/migrate.ts'
import { migrations } from './migrations.ts'

const limits = '{"requests":{"scope":"key","limit":60,"remaining":59},"tokens":null}'

/** A data directory as version 8 left it: three requests, of which the first is settled and the last two have run. */
const leaveVersion8 = (path: string): void => {
  const db = new DatabaseSync(join(path, 'helix.db'))
  migrate(db, { migrations: migrations.filter(({ id }) => id <= 8), backupDirectory: join(path, 'backups'), now: 0 })
  db.exec(`
    INSERT INTO organisations (id, name, created_at) VALUES ('org_1', 'One', 0);
    INSERT INTO ledger_parties VALUES (1, 'org_1', 'key_1');
    INSERT INTO ledger_reservations VALUES
      (1, 'req_settled', 1, 'helix-v1', 'chat.completions', 1, 100, 1000, '${limits}'),
      (2, 'req_noted', 1, 'helix-v1', 'chat.completions', 1, 100, 1000, '${limits}'),
      (3, 'req_silent', 1, 'helix-v1', 'chat.completions', 1, 100, 1000, NULL);
    INSERT INTO ledger_notes VALUES
      (1, 1, 7, 0, 5, 0, 1500, 0), (2, 2, 7, 0, 5, 0, 1500, 0), (3, 2, 7, 2, 9, 1, 2000, 1);
    INSERT INTO ledger_open VALUES (2), (3);
    INSERT INTO ledger_settlements VALUES (1, 7, 0, 20, 0, 'completed', 'stop', NULL, 1, 50, 400, 2000, 20261115, 0);
    INSERT INTO usage_days VALUES (1, 20261115, 'helix-v1', 1, 0, 0, 7, 0, 20, 0, 1, 50, 400);
  `)
  db.close()
}

const expectRecovered = async (path: string): Promise<void> => {
  await using store = await openScratchStore(path)
  expect((await store.ledger.since(0)).map(({ requestId }) => requestId)).toEqual([
    'req_settled',
    'req_noted',
    'req_silent',
  ])
  expect(await store.ledger.recover(9_000, 20261116)).toBe(2)
  expect(await store.ledger.find('req_noted')).toMatchObject({
    limits: { requests: { scope: 'key', limit: 60, remaining: 59 }, tokens: null },
    settlement: { promptTokens: 7, cachedTokens: 2, completionTokens: 9, reasoningTokens: 1, isEstimated: true },
  })
  expect(await store.ledger.find('req_silent')).toMatchObject({ limits: null, settlement: { promptTokens: 0 } })
  expect(await store.usage.verify()).toEqual({ checkedRequests: 3, fromDay: 20261115, differences: [] })
}

test('a data directory of version 8 keeps its last notes, and its open requests are settled by them', async () => {
  using scratch = scratchDirectory()
  leaveVersion8(scratch.path)
  await expectRecovered(scratch.path)
  expect(readdirSync(join(scratch.path, 'backups'))).toHaveLength(1)
})

test('a backup of version 8 can be restored', async () => {
  using old = scratchDirectory()
  using scratch = scratchDirectory()
  leaveVersion8(old.path)
  const directory = await lockDataDirectory(join(scratch.path, 'data'), { clock: systemClock, waitMs: 0 })
  restoreDatabase(join(old.path, 'helix.db'), directory)
  directory.release()
  await expectRecovered(directory.path)
})
