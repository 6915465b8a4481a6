import { describe, expect, test } from 'vitest'
import { openScratchLease, type ScratchLease } from '../../harness/open-scratch-lease.ts'
import { openSharedStores } from '../../harness/postgres/open-shared-stores.ts'
import { startedPostgres } from '../../harness/postgres/started-postgres.ts'

const postgres = await startedPostgres()

type Opened = AsyncDisposable & { node: ScratchLease }

/** What `NodeLease` promises, of a single server and of a node that shares its database. */
const suite = (open: (name: string) => Promise<Opened>): void => {
  test('a server lists itself, with its version, its address and its load', async () => {
    await using opened = await open('first')
    const { lease, status } = opened.node
    expect(await lease.list()).toEqual([
      {
        ...{ id: lease.id(), name: 'first', address: 'http://127.0.0.1:1', version: '1.2.3', isOwn: true, status },
        ...{ kind: 'server', certificate: '', engine: null },
        ...{ startedAt: expect.any(Number), seenMsAgo: expect.any(Number) },
      },
    ])
    expect(lease.id()).not.toBe('')
  })

  test('a server may do a task, and may go on with it', async () => {
    await using opened = await open('first')
    expect(await opened.node.lease.holdTask('prune', 1_000)).toBe(true)
    expect(await opened.node.lease.holdTask('prune', 1_000)).toBe(true)
  })
}

describe('a single server', () =>
  suite(async (name) => ({ node: await openScratchLease(null, name), [Symbol.asyncDispose]: async () => {} })))

describe.skipIf(postgres === null)('a node on PostgreSQL', () =>
  suite(async (name) => {
    const data = await openSharedStores(postgres, 1)
    const node = await openScratchLease(data.stores[0]?.nodes ?? null, name)
    return {
      node,
      async [Symbol.asyncDispose]() {
        await node.lease.close()
        await data[Symbol.asyncDispose]()
      },
    }
  }),
)
