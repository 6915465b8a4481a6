import { once } from 'node:events'
import { launchHelix } from './launch-helix.ts'
import { attacks } from './neighbours-attacks.ts'
import { rssBytes } from './process-memory.ts'
import { startPinned } from './start-pinned.ts'

/** Attacks that need much memory while they last. */
export const memoryFloods = ['embeddings', 'messages', 'unknownKeys', 'text', 'brackets', 'conversation'] as const

const connections = 16
/** A server that has just started is still loading its model. */
const settleMs = 8000
const restMs = 60_000

type FloodMemory = {
  idleMb: number
  highestMb: number
  afterMb: number
  ratio: number
  answers: Record<string, number>
}

/** The memory of the real server, idle and a minute after so many connections have sent the bodies of an attack. */
export const measureFloodMemory = async (
  name: (typeof memoryFloods)[number],
  durationMs: number,
  signal: AbortSignal,
): Promise<FloodMemory> => {
  const upstream = startPinned(new URL('./neighbours-embeddings.ts', import.meta.url), undefined, ['--base64'])
  const [port] = await once(upstream, 'message', { signal })
  const models = [{ name: 'embedder', kind: 'embedding' }]
  const helix = await launchHelix(signal, {
    HELIX_UPSTREAMS: JSON.stringify([{ name: 'embedder', url: `http://127.0.0.1:${port}/v1`, models }]),
    // All memory is that of one process.
    HELIX_WORKERS: '1',
    HELIX_REFUSED_REQUESTS_PER_MINUTE: '0',
    HELIX_ORGANISATION_REFUSED_REQUESTS_PER_MINUTE: '0',
  })
  const megabytes = async (): Promise<number> => Math.round(((await rssBytes(helix.pid)) ?? Number.NaN) / 1e6)
  const { path = '/v1/chat/completions', body } = attacks[name]
  const bytes = JSON.stringify({ model: helix.model, ...body() })
  const answers: Record<string, number> = {}
  let floodedUntilMs = 0
  const lasts = (): boolean => performance.now() < floodedUntilMs
  const send = async (): Promise<void> => {
    while (lasts()) {
      const response = await fetch(helix.url + path, {
        method: 'POST',
        signal,
        headers: { authorization: `Bearer ${helix.key}`, 'content-type': 'application/json' },
        body: bytes,
      })
      for await (const _ of response.body ?? []);
      answers[response.status] = (answers[response.status] ?? 0) + 1
    }
  }
  try {
    await helix.engineReady()
    await pause(settleMs)
    const idleMb = await megabytes()
    floodedUntilMs = performance.now() + durationMs
    const flood = Promise.all(Array.from({ length: connections }, send))
    let highestMb = idleMb
    while (lasts()) {
      await pause(200)
      highestMb = Math.max(highestMb, await megabytes())
    }
    await flood
    await pause(restMs)
    const afterMb = await megabytes()
    return { idleMb, highestMb, afterMb, ratio: afterMb / idleMb, answers }
  } finally {
    await helix.close()
    upstream.disconnect()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
