import type { GatewayProcesses } from './gateway-processes.ts'
import { report } from './measure.ts'
import { rssBytes } from './process-memory.ts'

const maxGrowth = 1.05
const requestsPerTurn = { json: 1000, stream: 300 }

/** Memory of the process under constant load: at the end of the time against after its first third. */
export const measureGatewayMemory = async (
  { helix, ask }: GatewayProcesses,
  minutes: number,
  signal: AbortSignal,
): Promise<void> => {
  const startedMs = performance.now()
  const elapsed = (): number => (performance.now() - startedMs) / (minutes * 60_000)
  let requests = 0
  let warmBytes: number | null = null
  while (elapsed() < 1) {
    signal.throwIfAborted()
    for (const kind of ['json', 'stream'] as const) {
      await ask(helix, kind, { requests: requestsPerTurn[kind] })
      requests += requestsPerTurn[kind]
    }
    if (elapsed() > 1 / 3) warmBytes ??= await rssBytes(helix.pid)
  }
  const lastBytes = await rssBytes(helix.pid)
  const growth = warmBytes === null || lastBytes === null ? null : lastBytes / warmBytes
  report({
    bench: 'gateway, memory',
    ratio: null,
    target: `RSS at most ${maxGrowth} times that after a third of the time`,
    met: growth === null ? null : growth <= maxGrowth,
    rounds: 1,
    figures: {
      minutes,
      requests,
      growth: growth?.toFixed(3) ?? null,
      warmMb: megabytes(warmBytes),
      lastMb: megabytes(lastBytes),
    },
  })
}

const megabytes = (bytes: number | null): number | null => (bytes === null ? null : Math.round(bytes / 2 ** 20))
