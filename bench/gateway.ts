import { parseArgs } from 'node:util'
import { measureGatewayCpu } from './gateway-cpu.ts'
import { measureGatewayMemory } from './gateway-memory.ts'
import { measureOpenLoop } from './gateway-open-loop.ts'
import { startGatewayProcesses } from './gateway-processes.ts'
import { measureFirstToken, measureRate } from './gateway-times.ts'
import { measureTraces } from './gateway-traces.ts'
import { measureGatewayWorkers } from './gateway-workers.ts'

/**
 * Helix in front of an upstream, with keys, limits, the ledger and the log, against a bare proxy and, if npm can install it,
 * Portkey's gateway: CPU per request, time to the first token, requests per second, an open loop at fixed rates, and memory over
 * `--minutes=N`. `--only=` runs one part: cpu, first-token, rate, open, traces (CPU with and without them), workers or memory.
 * `--workers=N` has Helix answer with N workers (1 by default); the part `workers` compares them with a server that has one.
 * `--hands=N` has upstream and load in N processes each for that part, and `--kind=json` or `stream` measures only those.
 * There are 64 connections for each worker; with `--same-connections`, 64 for each server.
 * `--server-cpus=0-3 --upstream-cpus=4,5 --load-cpus=6,7`: each on those only, and requests of the open loop are then sent exactly
 * when they are due. `--seconds=4` of each round of the open loop.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string' },
    workers: { type: 'string', default: '1' },
    hands: { type: 'string', default: '1' },
    kind: { type: 'string' },
    'same-connections': { type: 'boolean', default: false },
    'server-cpus': { type: 'string' },
    'upstream-cpus': { type: 'string' },
    'load-cpus': { type: 'string' },
  },
})
const workers = Number(values.workers)
if (!(Number.isInteger(workers) && workers >= 1 && workers <= 64))
  throw new RangeError('--workers must be from 1 to 64')
const minutes = Number(values.minutes ?? '0.5')
if (!(minutes > 0 && minutes <= 60)) throw new RangeError('--minutes must be above 0 and at most 60')
const seconds = Number(values.seconds ?? '4')
if (!(seconds > 0 && seconds <= 60)) throw new RangeError('--seconds must be above 0 and at most 60')
const limitMs = 900_000 + minutes * 60_000
const signal = AbortSignal.timeout(limitMs)

const processes = await startGatewayProcesses(signal, {
  hasOthers: values.only !== 'traces' && values.only !== 'workers',
  workers,
  hands: values.only === 'workers' ? Number(values.hands) : 1,
  cpus: { servers: values['server-cpus'], upstream: values['upstream-cpus'], load: values['load-cpus'] },
})
const parts = {
  cpu: async () => {
    for (const kind of ['json', 'stream'] as const) await measureGatewayCpu(processes, kind)
  },
  'first-token': () => measureFirstToken(processes),
  rate: () => measureRate(processes),
  open: () => measureOpenLoop(processes, { seconds, isExact: values['load-cpus'] !== undefined, workers }),
  traces: () => measureTraces(processes),
  workers: async () => {
    if (workers === 1) return
    const single = await processes.startHelix(1)
    for (const kind of ['json', 'stream'] as const)
      if (values.kind === undefined || values.kind === kind)
        await measureGatewayWorkers(processes, single, workers, kind, {
          hasSameConnections: values['same-connections'],
        })
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
