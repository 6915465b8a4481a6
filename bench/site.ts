import { fork } from 'node:child_process'
import { once } from 'node:events'
import { takeAll } from './bare-files.ts'
import { fillLedger } from './fill-ledger.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import type { SiteServer } from './site-server.ts'

/**
 * Three measurements of the console: the server's CPU for loading a page with an empty cache, against a server that
 * only writes the same bytes; the additional CPU for 200 requests a second while the live log is open, against the same
 * load without it; and the time for the usage figures with ten million requests in the ledger, against the same server
 * before they were added.
 */
const coldRounds = 15
const coldLoads = 40
const rounds = 15
const loadMs = 4000
/** V8 keeps compiling hot code for about half a minute. */
const warmUpLoads = 6
const requestsPerSecond = 200
const ledgerRequests = 10_000_000
const usageRounds = 21
const limitMs = 900_000

const signal = AbortSignal.timeout(limitMs)
const child = fork(new URL('./site-server.ts', import.meta.url), {
  signal,
  execArgv: ['--disable-warning=ExperimentalWarning'],
})
const server = asServer((await once(child, 'message', { signal }))[0])
const platform = (path: string, more: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}/platform${path}`, { ...more, headers: { cookie: server.cookie } })

const cpuMs = async (): Promise<number> => {
  const told = once(child, 'message', { signal })
  child.send('cpu')
  return Number((await told)[0])
}

const ask = async (): Promise<void> => {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'helix-v1', messages: [{ role: 'user', content: 'Hello!' }] }),
  })
  await response.text()
  if (!response.ok) throw new Error(`a request was refused: ${response.status}`)
}

/** Sends requests at a fixed rate, whether or not earlier ones have ended. Returns the server's CPU milliseconds. */
const load = async (): Promise<number> => {
  const before = await cpuMs()
  const asked: Promise<void>[] = []
  const startedMs = performance.now()
  while (performance.now() - startedMs < loadMs) {
    const due = ((performance.now() - startedMs) / 1000) * requestsPerSecond
    while (asked.length < due) asked.push(ask())
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(asked)
  return (await cpuMs()) - before
}

const loadFollowed = async (): Promise<number> => {
  const leave = new AbortController()
  const { body } = await platform('/requests/events', { signal: leave.signal })
  const read = body?.pipeTo(new WritableStream()).catch(() => {})
  const used = await load()
  leave.abort()
  await read
  return used
}

const showUsage = async (): Promise<number> => {
  const startedMs = performance.now()
  await takeAll(server.url, server.cookie, ['/platform/usage?days=90'])
  return performance.now() - startedMs
}

const usageTimes = async (): Promise<number[]> => (await takeTurns(usageRounds, { usage: showUsage })).usage

const openCold = async (origin: string): Promise<number> => {
  const before = await cpuMs()
  for (let count = 0; count < coldLoads; count += 1) await takeAll(origin, server.cookie, server.paths)
  return ((await cpuMs()) - before) / coldLoads
}
const coldTurns = { ours: () => openCold(server.url), bare: () => openCold(server.bareUrl) }

for (const warmUp of Object.values(coldTurns)) await warmUp()
const { ours, bare } = await takeTurns(coldRounds, coldTurns)
report({
  bench: 'site cold load',
  ratio: ratioSpread(ours, bare),
  target: null,
  met: null,
  rounds: coldRounds,
  figures: { requests: server.paths.length, cpuMs: spreadOf(ours), bareCpuMs: spreadOf(bare) },
})

for (let count = 0; count < warmUpLoads; count += 1) await (count % 2 === 0 ? load() : loadFollowed())
const { closed, open } = await takeTurns(rounds, { closed: load, open: loadFollowed })
const cost = ratioSpread(open, closed)
report({
  bench: 'site live log',
  ratio: cost,
  target: 'ratio <= 1.05',
  met: cost.median <= 1.05,
  rounds,
  figures: { requestsPerSecond, closedCpuMs: spreadOf(closed), openCpuMs: spreadOf(open) },
})

const emptyMs = await usageTimes()
fillLedger(server.dataDir, server.organisationId, ledgerRequests)
const fullMs = await usageTimes()
child.disconnect()
await once(child, 'exit')

const milliseconds = spreadOf(fullMs)
report({
  bench: 'site usage',
  ratio: ratioSpread(fullMs, emptyMs),
  target: 'milliseconds < 200',
  met: milliseconds.median < 200,
  rounds: usageRounds,
  figures: { ledgerRequests, milliseconds, emptyMilliseconds: spreadOf(emptyMs) },
})

/** Sound because only `site-server.ts` holds the other end, and this is its first message. */
function asServer(message: unknown): SiteServer {
  return message as SiteServer
}
