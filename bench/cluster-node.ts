import type { ClusterProcesses } from './cluster-processes.ts'
import type { LaunchedHelix } from './launch-helix.ts'
import { median, ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import { processCpuUs } from './process-cpu.ts'

const rounds = 5
const requests = 1500
const warmUpRequests = 15_000
const oneAtATime = { requests: 300, connections: 1 }
const maxRatio = 1.5
const maxAddedMs = 3

/** CPU of the node and time for a request, on PostgreSQL and Redis against SQLite, in turns. */
export const measureClusterNode = async ({ alone, nodes: [node], ask }: ClusterProcesses): Promise<void> => {
  const cpuUs = async (server: LaunchedHelix): Promise<number> => {
    const before = processCpuUs(server.pid)
    await ask([server], { requests })
    return (processCpuUs(server.pid) - before) / requests
  }
  const medianMs = async (server: LaunchedHelix): Promise<number> =>
    median((await ask([server], oneAtATime)).flatMap(({ totalMs }) => totalMs))

  // V8 compiles for some thousands of requests, and a node runs for days.
  for (const server of [alone, node]) await ask([server], { requests: warmUpRequests })
  const cpu = await takeTurns(rounds, { node: () => cpuUs(node), alone: () => cpuUs(alone) })
  const ratio = ratioSpread(cpu.node, cpu.alone)
  report({
    bench: 'cluster, CPU',
    ratio,
    target: `CPU of the node at most ${maxRatio} times that on SQLite`,
    met: ratio.median <= maxRatio,
    rounds,
    figures: { nodeCpuUs: spreadOf(cpu.node, 0), sqliteCpuUs: spreadOf(cpu.alone, 0) },
  })
  const times = await takeTurns(rounds, { node: () => medianMs(node), alone: () => medianMs(alone) })
  const addedMs = spreadOf(times.node.map((ms, round) => ms - (times.alone[round] ?? Number.NaN)))
  report({
    bench: 'cluster, latency',
    ratio: ratioSpread(times.node, times.alone),
    target: `at most ${maxAddedMs} ms more than on SQLite, median of single requests`,
    met: addedMs.median <= maxAddedMs,
    rounds,
    figures: { addedMs, nodeMs: spreadOf(times.node), sqliteMs: spreadOf(times.alone) },
  })
}
