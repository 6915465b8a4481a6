import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readText, send } from '../src/cli/http-client.ts'
import { controlSocketPath } from '../src/http/control-socket.ts'
import { builtSiteFolder } from '../test/harness/built-site.ts'
import type { ApiKey } from './ledger/ask.ts'
import { runClient } from './ledger/client.ts'
import { createGate } from './ledger/gate.ts'
import { type ClientEntry, type KillerEntry, openJournal, type UpstreamEntry } from './ledger/journal.ts'
import { runKiller } from './ledger/killer.ts'
import { createRandom } from './ledger/random.ts'
import { dataDirOf, type Server, startServer } from './ledger/server.ts'
import { startUpstream } from './ledger/upstream.ts'

/**
 * One run of the load: a real server is killed and started again and again, while clients ask it and write down what they
 * hear. What is left in the folder — journals and the server's data directory — is all that the checker gets to see.
 */
export type LedgerRun = {
  folder: string
  seed: number
  kills: number
  /** No further kill after this time. */
  seconds: number
  /** A module that breaks the server on purpose, loaded before its program. */
  fault?: string
  onKill?(kills: number): void
}

const clients = 10
const keysEach = 12

export const recordLedgerRun = async (run: LedgerRun): Promise<{ kills: number }> => {
  const { folder, seed, fault = null } = run
  // A server without its built pages would build them beside the first lives.
  await builtSiteFolder()
  const journals = join(folder, 'journals')
  mkdirSync(journals, { recursive: true })
  const open = <Entry>(name: string) => openJournal<Entry>(join(journals, `${name}.jsonl`))
  const upstreamJournal = open<UpstreamEntry>('upstream')
  const upstream = await startUpstream(upstreamJournal)
  const start = (life: number): Server =>
    startServer({ folder, upstreamUrl: upstream.baseUrl, upstreamKey: upstream.keyOf(life), fault })
  const killerJournal = open<KillerEntry>('killer')
  const random = createRandom(seed)
  const gate = createGate()

  killerJournal.write({ event: 'started', life: 1 })
  const apiKeys = await createKeys(start(1), dataDirOf(folder))
  killerJournal.write({ event: 'stopped', life: 1, code: 0 })

  const running = Array.from({ length: clients }, async (_, index) => {
    const journal = open<ClientEntry>(`client-${index + 1}`)
    const own = apiKeys.slice(index * keysEach, (index + 1) * keysEach)
    await runClient({ name: String(index + 1), random: random.fork(), apiKeys: own, gate, journal })
    journal.close()
  })
  const last = await runKiller({
    dataDir: dataDirOf(folder),
    kills: run.kills,
    untilMs: performance.now() + run.seconds * 1000,
    random: random.fork(),
    gate,
    journal: killerJournal,
    start,
    onKill: run.onKill ?? (() => {}),
  })
  gate.beginClosing()
  await Promise.all(running)
  const code = await last.stop()
  killerJournal.close()
  await upstream.close()
  upstreamJournal.close()
  if (code !== 0) throw new Error(`the last server ended with ${code} when it was asked to stop`)
  return { kills: last.kills }
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
