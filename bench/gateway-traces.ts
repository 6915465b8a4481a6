import type { Gateway, GatewayKind, GatewayProcesses } from './gateway-processes.ts'
import { warmUp } from './gateway-warm-up.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import { processCpuUs } from './process-cpu.ts'

const rounds = 5
const requestsOf = { json: 1500, stream: 500 }
const maxRatio = 1.1

/** CPU per request without traces, with the usual share of them kept and with all: three servers in turns. Metrics are counted always. */
export const measureTraces = async (processes: GatewayProcesses, kind: GatewayKind): Promise<void> => {
  const requests = requestsOf[kind]
  const { ask, startTraced } = processes
  const servers = { off: await startTraced(null), usual: await startTraced(0.05), all: await startTraced(1) }
  const cpuPerRequestUs = async (gateway: Gateway): Promise<number> => {
    const before = processCpuUs(gateway.pid)
    await ask(gateway, kind, { requests })
    return (processCpuUs(gateway.pid) - before) / requests
  }
  for (const gateway of Object.values(servers)) await warmUp(() => cpuPerRequestUs(gateway))
  const { off, usual, all } = await takeTurns(rounds, {
    off: () => cpuPerRequestUs(servers.off),
    usual: () => cpuPerRequestUs(servers.usual),
    all: () => cpuPerRequestUs(servers.all),
  })
  const ratio = ratioSpread(usual, off)
  report({
    bench: 'gateway-traces',
    ratio,
    target: `CPU at most ${maxRatio} times that without traces, if one in twenty is kept`,
    met: ratio.median <= maxRatio,
    rounds,
    figures: {
      kind,
      ratioWithAll: ratioSpread(all, off),
      offCpuPerRequestUs: spreadOf(off, 0),
      usualCpuPerRequestUs: spreadOf(usual, 0),
      allCpuPerRequestUs: spreadOf(all, 0),
      requests,
    },
  })
}
