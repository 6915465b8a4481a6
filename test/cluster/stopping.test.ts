import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { spoolPath } from '../../src/store/spool-path.ts'
import { type Cluster, hasCluster, startCluster } from '../harness/cluster.ts'
import { dataFilesContain } from '../harness/data-files-contain.ts'
import { lockTable } from '../harness/postgres/lock-table.ts'
import { openRelay } from '../harness/postgres/open-relay.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { modelName } from '../harness/start-helix.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const startNode = async (
  cluster: Cluster,
  store: string,
  more: { dataDir?: string; env?: Record<string, string> } = {},
) => {
  const upstream = await startUpstream((response, { url }) =>
    url.endsWith('/chat/completions') ? say(response, 'Hello') : response.writeHead(404).end(),
  )
  return startProgram({
    ...more,
    env: {
      HELIX_STORE: store,
      HELIX_REDIS: cluster.redisUrl,
      HELIX_REDIS_PREFIX: cluster.redisPrefix,
      HELIX_REDIS_TIMEOUT_MS: '30000',
      HELIX_SECRET_KEY: cluster.secretKey,
      HELIX_NODE_NAME: 'program',
      HELIX_UPSTREAM_URL: upstream.baseUrl,
      HELIX_UPSTREAM_MODEL: modelName,
      ...more.env,
    },
  })
}

const ask = (cluster: Cluster, { url }: Program, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...cluster.node(1).authorized, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] }),
  })

/** A node whose connection to PostgreSQL broke while it settled the answer to a request with an Idempotency-Key. */
const startCutOff = async () => {
  const cluster = await startCluster({ nodes: 1 })
  const relay = await openRelay(cluster.databaseUrl)
  const program = await startNode(cluster, relay.url)
  // Its key is known from here on.
  expect((await ask(cluster, program)).status).toBe(200)
  const lock = await lockTable(cluster.databaseUrl, 'ledger_settlements')
  const asked = ask(cluster, program, { 'idempotency-key': 'k' })
  await lock.waitedFor('ledger_settlements')
  await relay.cut()
  await program.logged({ event: 'ledger_write_failed', what: 'settlements' })
  await lock.release()
  const spooled = (): Promise<string> => readFile(spoolPath(program.dataDir), 'utf8')
  return { cluster, relay, program, asked, spooled }
}

const requestIdOf = ({ headers }: Response): string => headers.get('x-request-id') ?? ''

describe.skipIf(!hasCluster)('a node that could not write an answer', () => {
  test('has nothing of it on its own disk once PostgreSQL has it', async () => {
    const { relay, program, asked } = await startCutOff()
    const holdsAnswer = (): boolean => dataFilesContain(program.dataDir, 'Hello')
    expect((await asked).status).toBe(200)
    while (!holdsAnswer()) await fetch(`${program.url}/readyz`)
    await relay.mend()
    while (holdsAnswer()) await fetch(`${program.url}/readyz`)
  })
})

describe.skipIf(!hasCluster)('a node that is stopped', () => {
  test('ends while PostgreSQL cannot be reached, and its next start writes what it could not', async () => {
    const { cluster, relay, program, asked, spooled } = await startCutOff()
    // The client gets the whole answer, although it cannot be written.
    const answered = await asked
    expect(await answered.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
    expect(await program.stop()).toBe(0)
    await program.logged({ event: 'ledger_unsettled', requests: 1 })
    expect(await spooled()).toContain(requestIdOf(answered))
    await relay.mend()
    await startNode(cluster, relay.url, { dataDir: program.dataDir })
    expect(await cluster.outcome(requestIdOf(answered))).toBe('completed')
  })

  test('writes what is pending first if PostgreSQL can be reached again', async () => {
    const { cluster, relay, program, asked, spooled } = await startCutOff()
    // Its reservation is on the local disk only.
    const plain = await ask(cluster, program)
    expect(plain.status).toBe(200)
    const answered = await asked
    expect(await spooled()).toContain(requestIdOf(plain))
    // Paused, so that it cannot write anything before it is stopped.
    program.child.kill('SIGSTOP')
    await relay.mend()
    const stopped = program.stop()
    program.child.kill('SIGCONT')
    expect(await stopped).toBe(0)
    expect(await spooled()).toBe('')
    expect(await cluster.outcome(requestIdOf(plain))).toBe('completed')
    expect(await cluster.outcome(requestIdOf(answered))).toBe('completed')
  })

  test('ends some seconds after its grace period, whatever it waits for', async () => {
    const cluster = await startCluster({ nodes: 1 })
    // It would wait for ten minutes.
    const env = { HELIX_STORE_TIMEOUT_MS: '600000', HELIX_SHUTDOWN_GRACE_MS: '100' }
    const program = await startNode(cluster, cluster.databaseUrl, { env })
    const lock = await lockTable(cluster.databaseUrl, 'nodes')
    await lock.waitedFor()
    expect(await program.stop()).toBe(1)
    await program.logged({ event: 'stop_overdue', level: 'error', graceMs: 100 })
    await lock.release()
  })
})
