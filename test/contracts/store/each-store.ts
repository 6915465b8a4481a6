import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe } from 'vitest'
import { newId } from '../../../src/base/ids.ts'
import type { Store } from '../../../src/store/contract.ts'
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { createScratchDatabase, execSql } from '../../harness/postgres/scratch-database.ts'
import { type StartedPostgres, startedPostgres } from '../../harness/postgres/started-postgres.ts'
import { openScratchStore, scratchDirectory } from '../../harness/scratch-store.ts'

/** The data of one test. It outlives the stores that open it, one after the other, as over restarts. */
export type StoreData = AsyncDisposable & {
  open(): Promise<Store & AsyncDisposable>
  /** Another organisation, without a person's account. The store may be open. */
  addOrganisation(): Promise<string>
  /** Changes the data behind the store's back. */
  exec(sql: string): Promise<void>
  /** Allows `exec` to change settlements, which nothing else can. */
  unlockLedger(): Promise<void>
}

type CreateData = () => Promise<StoreData>

const postgres = await startedPostgres()

/** What the contracts of `src/store` promise, said once and checked on every store. */
export const eachStore = (suite: (create: CreateData) => void): void => {
  describe('SQLite', () => suite(createSqliteData))
  if (postgres === null) describe.skip('PostgreSQL', () => suite(createSqliteData))
  else describe('PostgreSQL', () => suite(() => createPostgresData(postgres)))
}

const createPostgresData = async ({ url, template }: StartedPostgres): Promise<StoreData> => {
  const database = await createScratchDatabase(url, template)
  const exec = (sql: string): Promise<void> => execSql(database.url, sql)
  return {
    async open() {
      const store = await openPostgresStore({ url: database.url, clock: createManualClock(), poolSize: 4 })
      return { ...store, [Symbol.asyncDispose]: () => store.close() }
    },
    addOrganisation: () => addOrganisation(exec),
    exec,
    unlockLedger: () => exec('DROP TRIGGER ledger_settlements_stay ON ledger_settlements'),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const createSqliteData: CreateData = async () => {
  const scratch = scratchDirectory()
  const exec = async (sql: string): Promise<void> => {
    using db = new DatabaseSync(join(scratch.path, 'helix.db'), { timeout: 5_000 })
    db.exec(sql)
  }
  return {
    open: () => openScratchStore(scratch.path),
    addOrganisation: () => addOrganisation(exec),
    exec,
    unlockLedger: () => exec('DROP TRIGGER ledger_settlements_stay'),
    [Symbol.asyncDispose]: async () => scratch[Symbol.dispose](),
  }
}

const addOrganisation = async (exec: StoreData['exec']): Promise<string> => {
  const id = newId('org')
  await exec(`INSERT INTO organisations (id, name, created_at) VALUES ('${id}', 'Another', 0)`)
  return id
}
