import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readText, send } from '../src/cli/http-client.ts'
import { controlSocketPath } from '../src/http/control-socket.ts'
import { buildSite } from './build-site.ts'
import { type ApiKey, runClient } from './cluster/client.ts'
import { createDatabase, dumpLedger, waitForSettlements } from './cluster/dump-ledger.ts'
import type { ClockEntry, ClusterCallEntry, ClusterFaultEntry, KeyEntry } from './cluster/journal.ts'
import { longPauseMs } from './cluster/lease-times.ts'
import { runFaults } from './cluster/run-faults.ts'
import { type ChaosNode, secretKeyOf, startNode } from './cluster/start-node.ts'
import { startPostgres } from './cluster/start-postgres.ts'
import { startRedis } from './cluster/start-redis.ts'
import { canMoveClocks } from './cluster/wrong-clock.ts'
import { openJournal } from './ledger/journal.ts'
import { createRandom } from './ledger/random.ts'
import type { FaultEntry } from './upstreams/journal.ts'
import { type ChaosUpstream, startUpstream } from './upstreams/start-upstream.ts'

/** One run: three nodes, PostgreSQL, Redis and three upstreams, of which each fails in turn, under load. */
export type ClusterRun = { folder: string; seed: number; seconds: number; workers?: number }

/** The last requests end, and nodes that died leave theirs to others after half a minute. */
const settleMs = 90_000

/** More than a window of a minute. */
const wrongClockMs = 90_000

/** In a short run faults are short, so that every part has each of them once. */
const [shortFaultMs, longFaultMs, longRunSeconds] = [600, 2_000, 180]

/** Keys without limits, one with a low rate, one with a small budget. */
const keyLimits = [
  { requestsPerMinute: null, tokensPerDay: null, clients: 6, pauseMs: 20 },
  { requestsPerMinute: 20, tokensPerDay: null, clients: 2, pauseMs: 400 },
  { requestsPerMinute: null, tokensPerDay: 6_000, clients: 2, pauseMs: 100 },
]

export const recordClusterRun = async ({ folder, seed, seconds, workers = 1 }: ClusterRun): Promise<void> => {
  await buildSite()
  const journals = join(folder, 'journals')
  mkdirSync(journals, { recursive: true })
  const open = <Entry>(name: string) => openJournal<Entry>(join(journals, `${name}.jsonl`))
  const random = createRandom(seed)
  const closers: (() => Promise<void>)[] = []
  try {
    const postgres = await startPostgres()
    closers.push(postgres.close)
    const socketFolder = dirname(postgres.socketPath)
    await createDatabase(socketFolder)
    const redis = await startRedis()
    closers.push(redis.close)
    const upstreamFaults = open<FaultEntry>('upstreams')
    const startOne = (name: string, kind: ChaosUpstream['kind']): Promise<ChaosUpstream> =>
      startUpstream({ name, kind, seed: random.integer(0, 2 ** 31), journal: upstreamFaults })
    const upstreams = await Promise.all([startOne('a', 'vllm'), startOne('b', 'vllm'), startOne('c', 'openai')])
    closers.push(...upstreams.map((upstream) => () => upstream.kill()))
    const clocks = open<ClockEntry>('clocks')
    if (!canMoveClocks) console.log('All clocks are right: faketime is not installed.')
    const nodes: ChaosNode[] = []
    for (const number of [1, 2, 3]) {
      const [first] = nodes
      const secretKey = first === undefined ? null : secretKeyOf(first)
      const shared = {
        folder,
        postgresSocket: postgres.socketPath,
        redisPort: redis.port,
        upstreams: settingOf(upstreams),
        workers,
      }
      const aheadMs = canMoveClocks && number === 3 ? wrongClockMs : 0
      const node = await startNode({ number, ...shared, aheadMs, secretKey })
      clocks.write({ event: 'clock', node: node.name, aheadMs })
      nodes.push(node)
      closers.push(node.close)
    }
    const keys = await createKeys(nodes[0], open<KeyEntry>('keys'))
    const untilMs = performance.now() + seconds * 1000
    const isOver = (): boolean => performance.now() >= untilMs
    const running = keys.flatMap(({ apiKey, clients, pauseMs }, index) =>
      Array.from({ length: clients }, (_, place) => {
        const name = index * 10 + place + 1
        const journal = open<ClusterCallEntry>(`client-${name}`)
        return runClient({ name, nodes, apiKey, random: random.fork(), journal, pauseMs, isOver })
      }),
    )
    const faults = runFaults({
      nodes,
      others: [postgres, redis, ...upstreams],
      ...{ postgres, redis, longPauseMs },
      random: random.fork(),
      faultMs: seconds < longRunSeconds ? shortFaultMs : longFaultMs,
      journal: open<ClusterFaultEntry>('faults'),
      isOver,
    })
    await Promise.all([...running, faults])
    await waitForSettlements(socketFolder, settleMs)
    const codes = await Promise.all(nodes.map((node) => node.stop()))
    if (codes.some((code) => code !== 0)) throw new Error(`the nodes ended with ${codes.join(', ')}`)
    await dumpLedger(socketFolder, join(folder, 'ledger.json'))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

const settingOf = (upstreams: readonly ChaosUpstream[]): string =>
  JSON.stringify(
    upstreams.map(({ name, kind, baseUrl }) => ({
      ...{ name, kind, url: baseUrl, maxInFlight: 6, models: [{ name: 'words', default: name === 'a' }] },
      ...{ firstByteTimeoutMs: 1000, silenceTimeoutMs: 1000 },
    })),
  )

const createKeys = async (node: ChaosNode | undefined, journal: { write(entry: KeyEntry): void }) => {
  if (node === undefined) throw new Error('there are no nodes')
  const post = async (path: string, body: unknown): Promise<{ id: string; key: string }> =>
    JSON.parse(
      await readText(await send({ socketPath: controlSocketPath(node.dataDir) }, { method: 'POST', path, body })),
    )
  const keys: { apiKey: ApiKey; clients: number; pauseMs: number }[] = []
  for (const { requestsPerMinute, tokensPerDay, clients, pauseMs } of keyLimits) {
    const { id, key } = await post('/control/keys', { name: 'chaos' })
    if (requestsPerMinute !== null || tokensPerDay !== null)
      await post(`/control/limits/${id}`, {
        ...(requestsPerMinute === null ? {} : { requestsPerMinute }),
        ...(tokensPerDay === null ? {} : { tokensPerDay }),
      })
    journal.write({ event: 'key', keyId: id, requestsPerMinute, tokensPerDay })
    keys.push({ apiKey: { id, secret: key }, clients, pauseMs })
  }
  return keys
}
