import type { Store } from '../../../src/store/contract.ts'
import type { NodeRecords } from '../../../src/store/node-contract.ts'
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts'
import { createManualClock } from '../manual-clock.ts'
import { createScratchDatabase, execSql } from './scratch-database.ts'
import type { StartedPostgres } from './started-postgres.ts'

export type SharedStore = Store & { nodes: NodeRecords }

/** Stores of several nodes on one scratch database. */
export const openSharedStores = async (postgres: StartedPostgres | null, count: number) => {
  if (postgres === null) throw new Error('there is no PostgreSQL')
  const database = await createScratchDatabase(postgres.url, postgres.template)
  // The server that created the template.
  await execSql(database.url, 'DELETE FROM ledger_nodes')
  const stores: SharedStore[] = []
  for (let n = 0; n < count; n += 1) stores.push(await openSharedStore(database.url))
  return {
    ...{ url: database.url, stores },
    exec: (sql: string) => execSql(database.url, sql),
    /** As if the node had been silent for so much longer. */
    age: (nodeId: string, byMs: number) =>
      execSql(
        database.url,
        `UPDATE nodes SET seen_at = seen_at - ${byMs}, ended_at = ended_at - ${byMs} WHERE id = '${nodeId}'`,
      ),
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

const openSharedStore = async (url: string): Promise<SharedStore> => {
  const store = await openPostgresStore({ url, clock: createManualClock(), poolSize: 2, isShared: true })
  if (store.nodes === null) throw new Error('it is shared')
  return { ...store, nodes: store.nodes }
}
