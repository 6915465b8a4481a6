import type { ClusterProcesses } from './cluster-processes.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'

const rounds = 5
const requests = 3000
const warmUpRequests = 15_000
const leastRatio = 1.8

/** Requests per second of two nodes together against one, each with its own process that sends them. */
export const measureTwoNodes = async ({ nodes, ask }: ClusterProcesses): Promise<void> => {
  const perSecond = async (count: number): Promise<number> => {
    const startedMs = performance.now()
    await ask(nodes.slice(0, count), { requests })
    return (requests * count * 1000) / (performance.now() - startedMs)
  }
  await ask(nodes, { requests: warmUpRequests })
  const { one, two } = await takeTurns(rounds, { one: () => perSecond(1), two: () => perSecond(2) })
  const ratio = ratioSpread(two, one)
  report({
    bench: 'cluster, two nodes',
    ratio,
    target: `at least ${leastRatio} times the requests per second of one, if there are cores for all processes`,
    met: ratio.median >= leastRatio,
    rounds,
    figures: { onePerSecond: spreadOf(one, 0), twoPerSecond: spreadOf(two, 0) },
  })
}
