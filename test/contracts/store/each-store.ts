import { describe } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts'
import { changeDatabase } from '../../harness/change-database.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { createScratchDatabase } from '../../harness/postgres/scratch-database.ts'
import { type StartedPostgres, startedPostgres } from '../../harness/postgres/started-postgres.ts'
import { addOrganisation, openScratchStore, scratchDirectory } from '../../harness/scratch-store.ts'

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
  const place = { dataDir: '', storeUrl: database.url }
  const exec = (sql: string): Promise<void> => changeDatabase(place, sql)
  return {
    async open() {
      const store = await openPostgresStore({ url: database.url, clock: createManualClock(), poolSize: 4 })
      return { ...store, [Symbol.asyncDispose]: () => store.close() }
    },
    addOrganisation: () => addOrganisation(place),
    exec,
    unlockLedger: () => exec('DROP TRIGGER ledger_settlements_stay ON ledger_settlements'),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const createSqliteData: CreateData = async () => {
  const scratch = scratchDirectory()
  const place = { dataDir: scratch.path }
  const exec = (sql: string): Promise<void> => changeDatabase(place, sql)
  return {
    open: () => openScratchStore(scratch.path),
    addOrganisation: () => addOrganisation(place),
    exec,
    unlockLedger: () => exec('DROP TRIGGER ledger_settlements_stay'),
    [Symbol.asyncDispose]: async () => scratch[Symbol.dispose](),
  }
}
