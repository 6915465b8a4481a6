import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readText, send } from '../src/cli/http-client.ts'
import { controlSocketPath } from '../src/http/control-socket.ts'
import { buildSite } from './build-site.ts'
import { openJournal } from './ledger/journal.ts'
import { createRandom } from './ledger/random.ts'
import { dataDirOf, startServer } from './ledger/server.ts'
import { runClient } from './upstreams/client.ts'
import type { CallEntry, FaultEntry } from './upstreams/journal.ts'
import { runFaults } from './upstreams/run-faults.ts'
import { type ChaosUpstream, startUpstream } from './upstreams/start-upstream.ts'

/** One run: a real server in front of three upstreams that fail in every way, under load. The checker sees only the folder. */
export type UpstreamsRun = { folder: string; seed: number; seconds: number; workers?: number }

const clients = 8

export const recordUpstreamsRun = async ({ folder, seed, seconds, workers = 1 }: UpstreamsRun): Promise<void> => {
  await buildSite()
  const journals = join(folder, 'journals')
  mkdirSync(journals, { recursive: true })
  const random = createRandom(seed)
  const faults = openJournal<FaultEntry>(join(journals, 'faults.jsonl'))
  const start = (name: string, kind: ChaosUpstream['kind']): Promise<ChaosUpstream> =>
    startUpstream({ name, kind, seed: random.integer(0, 2 ** 31), journal: faults })
  const upstreams = await Promise.all([start('a', 'vllm'), start('b', 'vllm'), start('c', 'openai')])
  const settings = { HELIX_UPSTREAMS: settingOf(upstreams), HELIX_WORKERS: String(workers) }
  const server = startServer({ folder, fault: null, settings })
  try {
    const url = await server.listening
    const apiKey = await createKey(dataDirOf(folder))
    const untilMs = performance.now() + seconds * 1000
    const isOver = (): boolean => performance.now() >= untilMs
    const running = Array.from({ length: clients }, (_, index) => {
      const journal = openJournal<CallEntry>(join(journals, `client-${index + 1}.jsonl`))
      return runClient({ name: index + 1, url, apiKey, random: random.fork(), journal, isOver })
    })
    await Promise.all([...running, runFaults(upstreams, random.fork(), isOver)])
    const code = await server.stop()
    if (code !== 0) throw new Error(`the server ended with ${code} when it was asked to stop`)
  } finally {
    await server.kill()
    await Promise.all(upstreams.map((upstream) => upstream.kill()))
  }
}

const settingOf = (upstreams: readonly ChaosUpstream[]): string =>
  JSON.stringify(
    upstreams.map(({ name, kind, baseUrl }) => ({
      ...{ name, kind, url: baseUrl, maxInFlight: 6, models: [{ name: 'words', default: name === 'a' }] },
      ...{ firstByteTimeoutMs: 1000, silenceTimeoutMs: 1000 },
    })),
  )

const createKey = async (dataDir: string): Promise<string> => {
  const asked = { method: 'POST', path: '/control/keys', body: { name: 'chaos' } } as const
  const { key } = JSON.parse(await readText(await send({ socketPath: controlSocketPath(dataDir) }, asked)))
  return String(key)
}
