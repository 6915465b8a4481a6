import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readText, send } from '../src/cli/http-client.ts'
import { controlSocketPath } from '../src/http/control-socket.ts'
import { buildSite } from './build-site.ts'
import type { ApiKey } from './ledger/ask.ts'
import { runClient } from './ledger/client.ts'
import { createGate } from './ledger/gate.ts'
import { type ClientEntry, type Journal, type KillerEntry, openJournal, type UpstreamEntry } from './ledger/journal.ts'
import { runKiller } from './ledger/killer.ts'
import { createRandom } from './ledger/random.ts'
import { dataDirOf, type Server, startServer } from './ledger/server.ts'
import { startUpstream } from './ledger/upstream.ts'

/**
 * One run of the load: repeatedly kills and restarts a real server while clients call it and record what they receive.
 * The checker sees only the resulting folder: the journals and the server's data directory.
 */
export type LedgerRun = {
  folder: string
  seed: number
  kills: number
  /** No further kills after this time. */
  seconds: number
  /** Threads of the server that accept connections; one by default. */
  workers?: number
  /** How long each life lasts once it serves; random by default. */
  lifeMs?: number
  /** A module loaded before the program that deliberately breaks the server. */
  fault?: string
  onKill?(kills: number): void
}

const clients = 10
const keysEach = 12

export const recordLedgerRun = async (run: LedgerRun): Promise<void> => {
  await buildSite()
  const journals = join(run.folder, 'journals')
  mkdirSync(journals, { recursive: true })
  const open = <Entry>(name: string) => openJournal<Entry>(join(journals, `${name}.jsonl`))
  const upstream = await startUpstream(open<UpstreamEntry>('upstream'))
  const servers: Server[] = []
  const start = (life: number): Server => {
    const { folder, fault = null } = run
    const settings = {
      HELIX_UPSTREAM_URL: upstream.baseUrl,
      HELIX_UPSTREAM_MODEL: 'numbered',
      HELIX_UPSTREAM_KEY: upstream.keyOf(life),
      HELIX_WORKERS: String(run.workers ?? 1),
    }
    const server = startServer({ folder, fault, settings })
    servers.push(server)
    return server
  }
  try {
    await load(run, start, open)
  } finally {
    await Promise.all(servers.map((server) => server.kill()))
    await upstream.close()
  }
}

type OpenJournal = <Entry>(name: string) => Journal<Entry>

const load = async (run: LedgerRun, start: (life: number) => Server, open: OpenJournal): Promise<void> => {
  const dataDir = dataDirOf(run.folder)
  const journal = open<KillerEntry>('killer')
  const random = createRandom(run.seed)
  const gate = createGate()

  journal.write({ event: 'started', life: 1 })
  const apiKeys = await createKeys(start(1), dataDir)
  journal.write({ event: 'stopped', life: 1, code: 0 })

  const running = Array.from({ length: clients }, (_, index) =>
    runClient({
      name: String(index + 1),
      random: random.fork(),
      apiKeys: apiKeys.slice(index * keysEach, (index + 1) * keysEach),
      gate,
      journal: open<ClientEntry>(`client-${index + 1}`),
    }),
  )
  const last = await runKiller({
    dataDir,
    kills: run.kills,
    untilMs: performance.now() + run.seconds * 1000,
    lifeMs: run.lifeMs ?? null,
    random: random.fork(),
    gate,
    journal,
    start,
    onKill: run.onKill ?? (() => {}),
  })
  gate.beginClosing()
  await Promise.all(running)
  const code = await last.stop()
  if (code !== 0) throw new Error(`the last server ended with ${code} when it was asked to stop`)
}

const createKeys = async (server: Server, dataDir: string): Promise<ApiKey[]> => {
  await server.listening
  const endpoint = { socketPath: controlSocketPath(dataDir) }
  const keys = await Promise.all(
    Array.from({ length: clients * keysEach }, async (_, index): Promise<ApiKey> => {
      const asked = { method: 'POST', path: '/control/keys', body: { name: `chaos ${index + 1}` } } as const
      const { id, key } = JSON.parse(await readText(await send(endpoint, asked)))
      return { id: String(id), secret: String(key) }
    }),
  )
  await server.stop()
  return keys
}
