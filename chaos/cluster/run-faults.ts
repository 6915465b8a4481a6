import { setTimeout as after } from 'node:timers/promises'
import type { Journal } from '../ledger/journal.ts'
import type { Random } from '../ledger/random.ts'
import type { ClusterFaultEntry, FaultKind } from './journal.ts'
import type { Part } from './part.ts'
import type { ChaosNode } from './start-node.ts'
import type { TcpProxy } from './tcp-proxy.ts'

type FaultOptions = {
  nodes: readonly ChaosNode[]
  /** PostgreSQL, Redis and the upstreams. */
  others: readonly Part[]
  random: Random
  /** How long most of them last; some are twice as long. */
  faultMs: number
  journal: Journal<ClusterFaultEntry>
  isOver(): boolean
}

type Fault = { kind: FaultKind; part: string; begin(): Promise<void> | void; end(): Promise<void> | void }

/** Every part in turn, in every way, in an order of its own each round; one at a time. */
export const runFaults = async ({ nodes, others, random, faultMs, journal, isOver }: FaultOptions): Promise<void> => {
  while (!isOver()) {
    const round = shuffled([...nodes, ...others].flatMap(faultsOfPart).concat(nodes.flatMap(faultsOfLinks)), random)
    for (const { kind, part, begin, end } of round) {
      await after(random.integer(faultMs / 4, faultMs))
      if (isOver()) return
      journal.write({ event: 'began', kind, part })
      await begin()
      await after(random.integer(faultMs / 4, faultMs * 2))
      await end()
      journal.write({ event: 'over', kind, part })
    }
  }
}

const faultsOfPart = (part: Part): Fault[] => [
  { kind: 'kill', part: part.name, begin: () => part.kill(), end: () => part.restart() },
  { kind: 'pause', part: part.name, begin: () => part.pause(), end: () => part.resume() },
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
