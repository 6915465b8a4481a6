import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe } from 'vitest'
import { newId } from '../../../src/base/ids.ts'
import type { Store } from '../../../src/store/contract.ts'
import { openScratchStore, scratchDirectory } from '../../harness/scratch-store.ts'

/** The data of one test. It outlives the stores that open it, one after the other, as over restarts. */
export type StoreData = AsyncDisposable & {
  open(): Promise<Store & AsyncDisposable>
  /** Another organisation, without a person's account. The store may be open. */
  addOrganisation(): Promise<string>
  /** Changes the data behind the store's back. */
  exec(sql: string): Promise<void>
}

type CreateData = () => Promise<StoreData>

/** What the contracts of `src/store` promise, said once and checked on every store. */
export const eachStore = (suite: (create: CreateData) => void): void => {
  describe('SQLite', () => suite(createSqliteData))
}

const createSqliteData: CreateData = async () => {
  const scratch = scratchDirectory()
  const exec = async (sql: string): Promise<void> => {
    using db = new DatabaseSync(join(scratch.path, 'helix.db'), { timeout: 5_000 })
    db.exec(sql)
  }
  return {
    open: () => openScratchStore(scratch.path),
    async addOrganisation() {
      const id = newId('org')
      await exec(`INSERT INTO organisations (id, name, created_at) VALUES ('${id}', 'Another', 0)`)
      return id
    },
    exec,
    [Symbol.asyncDispose]: async () => scratch[Symbol.dispose](),
  }
}
