import type { Gateway, GatewayKind, GatewayProcesses } from './gateway-processes.ts'
import { warmUp } from './gateway-warm-up.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import { processCpuUs } from './process-cpu.ts'

const rounds = 5
const requestsOf = { json: 3000, stream: 1000 }
const maxRatioOf = { json: 5.5, stream: 1.5 }
const maxPortkeyRatio = 0.25

/** CPU per request of the whole process, of the gateways in turns. */
export const measureGatewayCpu = async (processes: GatewayProcesses, kind: GatewayKind): Promise<void> => {
  const requests = requestsOf[kind]
  const maxRatio = maxRatioOf[kind]
  const { helix, bare, portkey, ask } = processes
  const cpuPerRequestUs = async (gateway: Gateway): Promise<number> => {
    const before = processCpuUs(gateway.pid)
    await ask(gateway, kind, { requests })
    return (processCpuUs(gateway.pid) - before) / requests
  }
  // Portkey answered a stream with 500 when sixteen ran at once.
  const compared = { helix, bare, ...(portkey === null || kind === 'stream' ? {} : { portkey }) }
  const warmUpRequests: Record<string, number> = {}
  for (const [name, gateway] of Object.entries(compared))
    warmUpRequests[name] = requests * (await warmUp(() => cpuPerRequestUs(gateway)))
  const measures = Object.fromEntries(
    Object.entries(compared).map(([name, gateway]) => [name, () => cpuPerRequestUs(gateway)]),
  )
  const { helix: ours = [], bare: reference = [], portkey: other } = await takeTurns(rounds, measures)
  const ratio = ratioSpread(ours, reference)
  const ratioToPortkey = other === undefined ? null : ratioSpread(ours, other)
  report({
    bench: 'gateway',
    ratio,
    target: `CPU at most ${maxRatio} times that of a bare proxy, and ${maxPortkeyRatio} times that of Portkey`,
    met: ratio.median <= maxRatio && (ratioToPortkey === null || ratioToPortkey.median <= maxPortkeyRatio),
    rounds,
    figures: {
      kind,
      cpuPerRequestUs: spreadOf(ours, 0),
      bareCpuPerRequestUs: spreadOf(reference, 0),
      portkeyCpuPerRequestUs: other === undefined ? null : spreadOf(other, 0),
      ratioToPortkey,
      requests,
      warmUpRequests,
    },
  })
}
