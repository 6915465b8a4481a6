import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openScratchStore, scratchDirectory } from '../../../test/harness/scratch-store.ts'
import { migrate } from '../sqlite/migrate.ts'
import { migrations } from './migrations.ts'

test('a data directory of version 13 opens: old requests have no price, and totals know which counts were estimated', async () => {
  using scratch = scratchDirectory()
  const db = new DatabaseSync(join(scratch.path, 'helix.db'))
  const before = migrations.filter(({ id }) => id <= 13)
  migrate(db, { migrations: before, backupDirectory: join(scratch.path, 'backups'), now: 0 })
  db.exec(`
    INSERT INTO organisations (id, name, created_at, tokens_per_day) VALUES ('org_1', 'One', 0, 500);
    INSERT INTO ledger_parties VALUES (1, 'org_1', 'key_1');
    INSERT INTO ledger_reservations VALUES
      (1, 'req_exact', 1, 'a', 'chat.completions', 1, 100, 1000, NULL),
      (2, 'req_estimated', 1, 'a', 'chat.completions', 1, 100, 1000, NULL),
      (3, 'req_other', 1, 'b', 'chat.completions', 1, 100, 1000, NULL);
    INSERT INTO ledger_settlements VALUES
      (1, 7, 0, 20, 0, 'completed', 'stop', NULL, 1, 50, 400, 2000, 20261115, 0),
      (2, 7, 0, 20, 0, 'completed', 'stop', NULL, 1, 50, 400, 2000, 20261115, 1),
      (3, 7, 0, 20, 0, 'completed', 'stop', NULL, 1, 50, 400, 2000, 20261115, 0);
    UPDATE ledger_settled SET up_to = 3;
    INSERT INTO usage_days VALUES
      (1, 20261115, 'a', 2, 0, 0, 14, 0, 40, 0, 2, 100, 800), (1, 20261115, 'b', 1, 0, 0, 7, 0, 20, 0, 1, 50, 400);
  `)
  db.close()
  await using store = await openScratchStore(scratch.path)
  expect(await store.ledger.find('req_estimated')).toMatchObject({
    ...{ price: null, reservedMicros: null, settlement: { costMicros: null, isEstimated: true } },
  })
  const rows = await store.usage.rows({ organisationId: null, fromDay: 0, toDay: 99991231 })
  expect(rows.map(({ model, estimated, costMicros }) => [model, estimated, costMicros])).toEqual([
    ['a', 1, 0],
    ['b', 0, 0],
  ])
  expect((await store.usage.verify()).differences).toEqual([])
  expect(await store.organisations.limits('org_1')).toMatchObject({
    limits: { tokensPerDay: 500, costPerDayMicros: null, costPerMonthMicros: null },
  })
})
