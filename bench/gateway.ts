import { parseArgs } from 'node:util'
import { measureGatewayCpu } from './gateway-cpu.ts'
import { measureGatewayMemory } from './gateway-memory.ts'
import { startGatewayProcesses } from './gateway-processes.ts'
import { measureFirstToken, measureRate } from './gateway-times.ts'
import { measureTraces } from './gateway-traces.ts'

/**
 * Helix in front of an upstream, with keys, limits, the ledger and the log, against a bare proxy and, if npm can install it,
 * Portkey's gateway: CPU per request, time to the first token, requests per second, and memory over `--minutes=N`. `--only=`
 * runs one part: cpu, first-token, rate, traces (CPU with and without them) or memory.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string' }, only: { type: 'string' } } })
const minutes = Number(values.minutes ?? '0.5')
if (!(minutes > 0 && minutes <= 60)) throw new RangeError('--minutes must be above 0 and at most 60')
const limitMs = 540_000 + minutes * 60_000
const signal = AbortSignal.timeout(limitMs)

const processes = await startGatewayProcesses(signal, { hasOthers: values.only !== 'traces' })
const parts = {
  cpu: async () => {
    for (const kind of ['json', 'stream'] as const) await measureGatewayCpu(processes, kind)
  },
  'first-token': () => measureFirstToken(processes),
  rate: () => measureRate(processes),
  traces: async () => {
    for (const kind of ['json', 'stream'] as const) await measureTraces(processes, kind)
  },
  memory: () => measureGatewayMemory(processes, minutes, signal),
}
try {
  if (values.only !== undefined && !(values.only in parts))
    throw new RangeError(`there is no part '${values.only}'; there are: ${Object.keys(parts).join(', ')}`)
  for (const [name, measure] of Object.entries(parts))
    if (values.only === undefined || values.only === name) await measure()
} finally {
  await processes.close()
}
