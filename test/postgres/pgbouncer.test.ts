import { Client, Pool } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { prepared, read } from '../../src/store/operations/operation.ts'
import { first, type Query } from '../../src/store/operations/query.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { createStatementNames, isDirectConnection } from '../../src/store/postgres/statement-names.ts'
import { createTransactions } from '../../src/store/postgres/transactions.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { findPgbouncer, startPgbouncer } from '../harness/postgres/start-pgbouncer.ts'
import type { Helix } from '../harness/start-helix.ts'

const program = hasCluster ? await findPgbouncer() : null

/** Two of them are for the locks of the nodes. */
const serverConnections = 4
const atOnce = 40
const plain = 160
const keyed = 20

/** Each as soon as one before it has ended. */
const inParallel = async (tasks: readonly (() => Promise<void>)[]): Promise<void> => {
  const left = [...tasks]
  const work = async (): Promise<void> => {
    for (let task = left.pop(); task !== undefined; task = left.pop()) await task()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

const countRequests = async (store: Store): Promise<number> => {
  let count = 0
  for (let before: string | null = null; ; ) {
    const page = await store.ledger.list({ organisationId: null, before, limit: 100 })
    if (page.some(({ settlement }) => settlement?.outcome !== 'completed')) throw new Error('one was not completed')
    count += page.length
    before = page.at(-1)?.requestId ?? null
    if (before === null) return count
  }
}

describe.skipIf(program === null)('through pgbouncer in transaction mode', () => {
  test('two nodes on few connections answer and record hundreds of requests once each', async () => {
    const cluster = await startCluster({ nodes: 0 })
    const pgbouncer = await startPgbouncer(program ?? '', cluster.databaseUrl, serverConnections)
    onTestFinished(() => pgbouncer[Symbol.asyncDispose]())
    const options = { config: { store: pgbouncer.url } }
    const nodes = [await cluster.join(1, options), await cluster.join(2, options)]
    const expectAnswer = async (asked: Promise<Response>): Promise<void> => {
      const response = await asked
      expect({ status: response.status, text: await response.text() }).toMatchObject({
        status: 200,
        text: expect.stringContaining('Hello, world!'),
      })
    }
    const ofEach = (count: number, ask: (node: Helix, n: number) => Promise<Response>) =>
      Array.from({ length: count }, (_, n) => nodes.map((node) => () => expectAnswer(ask(node, n)))).flat()
    await inParallel([
      ...ofEach(plain / 2, (node) => node.chat({})),
      // The same at both nodes: executed once.
      ...ofEach(keyed, (node, n) => keyedChat(node, `order ${n}`)),
    ])
    for (const node of nodes) await node.close()
    const store = await openPostgresStore({ url: cluster.databaseUrl, clock: createManualClock() })
    try {
      expect(await countRequests(store)).toBe(plain + keyed)
      expect(await store.usage.verify()).toMatchObject({ checkedRequests: plain + keyed, differences: [] })
    } finally {
      await store.close()
    }
  })

  test('is recognised, so that statements get no names', async () => {
    const cluster = await startCluster({ nodes: 0 })
    await using pgbouncer = await startPgbouncer(program ?? '', cluster.databaseUrl, 2)
    for (const [url, isDirect] of [
      [cluster.databaseUrl, true],
      [pgbouncer.url, false],
    ] as const) {
      const client = new Client({ connectionString: url })
      await client.connect()
      expect(await isDirectConnection(client)).toBe(isDirect)
      await client.end()
    }
  })

  test('should it not be recognised, the first failure of a name ends their use, and every statement is answered', async () => {
    const cluster = await startCluster({ nodes: 0 })
    await using pgbouncer = await startPgbouncer(program ?? '', cluster.databaseUrl, 2)
    const clients = 4
    const pool = new Pool({ connectionString: pgbouncer.url, max: clients })
    const names = createStatementNames(true)
    const transactions = createTransactions(pool, { statementTimeoutMs: 10_000, names, onTextDeleted() {} })
    const sql = 'SELECT CAST(? AS INTEGER) AS n'
    const operation = prepared(
      read(function* (n: number): Query<unknown> {
        return (yield* first(sql, n))?.n
      }),
    )
    // More clients than connections to the server: one of them finds the name there already.
    const answers = await Promise.all(Array.from({ length: clients }, (_, n) => transactions.run(operation, [n])))
    expect(answers).toEqual([0, 1, 2, 3])
    expect(names.of(sql)).toEqual({})
    await pool.end()
  })
})
