import type { Gateway, GatewayKind, GatewayProcesses } from './gateway-processes.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import { processCpuUs } from './process-cpu.ts'

const rounds = 5
const requestsOf = { json: 600, stream: 200 }
/** They are the same program: what is left to compile is the same for all. */
const warmUpRounds = 3
const maxRatio = 1.1

/** CPU per request without traces, with the usual share of them kept and with all: three servers in turns. Metrics are counted always. */
export const measureTraces = async ({ ask, startTraced }: GatewayProcesses): Promise<void> => {
  const servers = { off: await startTraced(null), usual: await startTraced(0.05), all: await startTraced(1) }
  for (const kind of ['json', 'stream'] as const) await measureKind(kind, servers, ask)
}

const measureKind = async (
  kind: GatewayKind,
  servers: Record<'off' | 'usual' | 'all', Gateway>,
  ask: GatewayProcesses['ask'],
): Promise<void> => {
  const requests = requestsOf[kind]
  const cpuPerRequestUs = async (gateway: Gateway): Promise<number> => {
    const before = processCpuUs(gateway.pid)
    await ask(gateway, kind, { requests })
    return (processCpuUs(gateway.pid) - before) / requests
  }
  for (const gateway of Object.values(servers))
    for (let round = 0; round < warmUpRounds; round += 1) await ask(gateway, kind, { requests })
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
