import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../src/store/contract.ts'
import { PostgresCalls } from '../../src/store/postgres/postgres-calls.ts'
import { createPostgresOperations } from '../../src/store/postgres/postgres-operations.ts'
import { createRecords } from '../../src/store/records/records.ts'
import type { StoreCalls } from '../../src/store/records/store-calls.ts'
import { drive } from '../../src/store/sqlite/database/drive.ts'
import { operations } from '../../src/store/sqlite/operations/operations.ts'

/** Where a server keeps its data. */
export type StorePlace = {
  dataDir: string
  /** The PostgreSQL database; null or absent if it is in the data directory. */
  storeUrl?: string | null
}

type StoreReader = AsyncDisposable & Pick<Store, 'ledger' | 'usage' | 'audit' | 'playground' | 'upstreams' | 'cache'>

/**
 * The data of a server, through the contract of its store and on a connection of its own: only what is committed is seen. The server
 * may be running.
 */
export const openStoreReader = ({ dataDir, storeUrl = null }: StorePlace): StoreReader =>
  storeUrl === null ? readSqlite(dataDir) : readPostgres(storeUrl)

const readSqlite = (dataDir: string): StoreReader => {
  const db = new DatabaseSync(join(dataDir, 'helix.db'), { readOnly: true, timeout: 5_000 })
  const calls: StoreCalls = {
    async call(name, ...args) {
      const operation = operations[name]
      return 'run' in operation ? operation.run(db, ...args) : drive(db, operation.query(...args))
    },
  }
  return { ...createRecords(calls, mustNotVerify), [Symbol.asyncDispose]: async () => db.close() }
}

const readPostgres = (url: string): StoreReader => {
  const calls = new PostgresCalls({ url, poolSize: 1 }, createPostgresOperations({ id: '', isLeased: true }))
  return { ...createRecords(calls, mustNotVerify), [Symbol.asyncDispose]: () => calls.close() }
}

/** Servers do that on a thread of their own. */
const mustNotVerify = (): never => {
  throw new Error("verify usage with 'helix usage --verify'")
}
