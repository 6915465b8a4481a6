import type { Gateway, GatewayKind, GatewayProcesses } from './gateway-processes.ts'
import { warmUp } from './gateway-warm-up.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import { mainThreadCpuUs, processCpuUs } from './process-cpu.ts'

const rounds = 5
const requestsOf = { json: 20_000, stream: 5000 }
/** For each worker, so that every server is at its capacity: with 64 altogether, each of four workers would wait a quarter of the time. */
const connectionsPerWorker = 64
const maxCpuRatio = 1.15
/** What several workers answer at least, as a multiple of one. */
const leastRatios: Partial<Record<number, number>> = { 2: 1.8, 4: 3.3 }

type Measured = { perSecond: number; cpuUs: number; mainUs: number }

/** Requests per second and CPU per request of a server with several workers against one with a single one, in turns. */
export const measureGatewayWorkers = async (
  processes: GatewayProcesses,
  single: Gateway,
  workers: number,
  kind: GatewayKind,
  { hasSameConnections }: { hasSameConnections: boolean },
): Promise<void> => {
  const requests = requestsOf[kind]
  const several = processes.helix
  const connections = {
    single: connectionsPerWorker,
    several: connectionsPerWorker * (hasSameConnections ? 1 : workers),
  }
  const measure = async (gateway: Gateway): Promise<Measured> => {
    const { pid } = gateway
    const [cpuUs, mainUs, startedMs] = [processCpuUs(pid), mainThreadCpuUs(pid), performance.now()]
    await processes.ask(gateway, kind, {
      requests,
      connections: gateway === several ? connections.several : connections.single,
    })
    return {
      perSecond: (requests * 1000) / (performance.now() - startedMs),
      cpuUs: (processCpuUs(pid) - cpuUs) / requests,
      mainUs: (mainThreadCpuUs(pid) - mainUs) / requests,
    }
  }
  for (const gateway of [single, several]) await warmUp(async () => (await measure(gateway)).cpuUs)
  const figures: Record<'single' | 'several', Measured[]> = { single: [], several: [] }
  const turn = (name: 'single' | 'several', gateway: Gateway) => async (): Promise<number> => {
    const measured = await measure(gateway)
    figures[name].push(measured)
    return measured.perSecond
  }
  const taken = await takeTurns(rounds, { single: turn('single', single), several: turn('several', several) })
  const cpuOf = (name: 'single' | 'several'): number[] => figures[name].slice(-rounds).map(({ cpuUs }) => cpuUs)
  const mainOf = figures.several.slice(-rounds).map(({ mainUs }) => mainUs)
  const ratio = ratioSpread(taken.several, taken.single)
  const cpuRatio = ratioSpread(cpuOf('several'), cpuOf('single'))
  const least = leastRatios[workers] ?? null
  report({
    bench: 'gateway, workers',
    ratio,
    target: `at least ${least ?? 'as many'} times the requests of one worker, CPU per request at most ${maxCpuRatio} times`,
    met: least === null ? null : ratio.median >= least && cpuRatio.median <= maxCpuRatio,
    rounds,
    figures: {
      ...{ kind, workers, connections, requests, cpuRatio },
      perSecond: spreadOf(taken.several, 0),
      perSecondOfOne: spreadOf(taken.single, 0),
      cpuPerRequestUs: spreadOf(cpuOf('several'), 0),
      cpuPerRequestOfOneUs: spreadOf(cpuOf('single'), 0),
      mainThreadPerRequestUs: spreadOf(mainOf, 1),
    },
  })
}
