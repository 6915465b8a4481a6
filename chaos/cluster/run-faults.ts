import { setTimeout as after } from 'node:timers/promises'
import type { Journal } from '../ledger/journal.ts'
import type { Random } from '../ledger/random.ts'
import type { ClusterFaultEntry, FaultKind } from './journal.ts'
import type { Part } from './part.ts'
import type { ChaosNode } from './start-node.ts'
import type { ChaosPostgres } from './start-postgres.ts'
import type { ChaosRedis } from './start-redis.ts'
import type { TcpProxy } from './tcp-proxy.ts'

type FaultOptions = {
  nodes: readonly ChaosNode[]
  /** PostgreSQL, Redis and the upstreams. */
  others: readonly Part[]
  postgres: Pick<ChaosPostgres, 'name' | 'setReadOnly'>
  redis: Pick<ChaosRedis, 'name' | 'flush'>
  random: Random
  /** How long most of them last; some are twice as long. */
  faultMs: number
  /** So long that the others take a node for dead. */
  longPauseMs: number
  journal: Journal<ClusterFaultEntry>
  isOver(): boolean
}

type Fault = {
  kind: FaultKind
  part: string
  /** What happens to another part in the same moment. */
  together?: { kind: FaultKind; part: string }
  /** Absent: as long as most. */
  lastsMs?: number
  begin(): Promise<void> | void
  end(): Promise<void> | void
}

/**
 * Every part in turn, in every way, in an order of its own each round; one at a time. A round begins with the faults that take
 * longest and that a short run would otherwise miss.
 */
export const runFaults = async (options: FaultOptions): Promise<void> => {
  const { nodes, others, random, faultMs, journal, isOver } = options
  while (!isOver()) {
    const common = [...nodes, ...others].flatMap(faultsOfPart).concat(nodes.flatMap(faultsOfLinks))
    const round = [...shuffled(rareFaults(options), random), ...shuffled(common, random)]
    for (const { kind, part, together, lastsMs, begin, end } of round) {
      const all = together === undefined ? [{ kind, part }] : [{ kind, part }, together]
      await after(random.integer(faultMs / 4, faultMs))
      if (isOver()) return
      for (const one of all) journal.write({ event: 'began', ...one })
      await begin()
      await after(lastsMs ?? random.integer(faultMs / 4, faultMs * 2))
      await end()
      for (const one of all) journal.write({ event: 'over', ...one })
    }
  }
}

const readOnlyMs = 3_000

const rareFaults = ({ nodes, postgres, redis, random, longPauseMs }: FaultOptions): Fault[] => {
  const [node, other] = shuffled(nodes, random)
  return [
    ...(node === undefined ? [] : [pauseOf(node, { kind: 'long pause', lastsMs: longPauseMs })]),
    ...(other === undefined ? [] : [killWithFlush(other, redis)]),
    {
      ...{ kind: 'read-only', part: postgres.name, lastsMs: readOnlyMs },
      begin: () => postgres.setReadOnly(true),
      end: () => postgres.setReadOnly(false),
    },
    { kind: 'flush', part: redis.name, lastsMs: 0, begin: redis.flush, end: () => {} },
  ]
}

/** Nobody can say what the dead node was running but the ledger. */
const killWithFlush = (node: ChaosNode, redis: FaultOptions['redis']): Fault => ({
  ...{ kind: 'kill', part: node.name, together: { kind: 'flush', part: redis.name } },
  async begin() {
    await Promise.all([node.kill(), redis.flush()])
  },
  end: () => node.restart(),
})

const pauseOf = (part: Part, fault: Pick<Fault, 'kind' | 'lastsMs'>): Fault => ({
  ...{ ...fault, part: part.name },
  begin: () => part.pause(),
  end: () => part.resume(),
})

const faultsOfPart = (part: Part): Fault[] => [
  { kind: 'kill', part: part.name, begin: () => part.kill(), end: () => part.restart() },
  pauseOf(part, { kind: 'pause' }),
]

const faultsOfLinks = ({ name, toPostgres, toRedis }: ChaosNode): Fault[] => [
  ...faultsOfLink(`${name} to postgres`, toPostgres),
  ...faultsOfLink(`${name} to redis`, toRedis),
]

const faultsOfLink = (part: string, proxy: TcpProxy): Fault[] => [
  { kind: 'cut', part, begin: proxy.cut, end: proxy.pass },
  { kind: 'stall', part, begin: proxy.stall, end: proxy.pass },
]

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, place: random.next() }))
    .sort((one, two) => one.place - two.place)
    .map(({ item }) => item)
