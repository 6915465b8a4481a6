import type { FloodedServer } from './flood-server.ts'
import { median, ratioSpread, type Spread, spreadOf } from './measure.ts'
import { askChat, readTexts } from './stream-chat.ts'

type FloodLoad = {
  rounds: number
  /** Requests measured in each server state; the median counts. */
  probes: number
  /** Concurrent requests of the flooding organisation. */
  inFlight: number
  promptWords: number
  floodTokens: number
}

type FloodResult = {
  /** Time to first token during the flood relative to the idle server, per round. */
  ratio: Spread
  idleMs: Spread
  floodedMs: Spread
  /** The same for a request of the flooding organisation, which queues behind its own requests. */
  ownMs: Spread
  floodAnswers: number
}

/** Alternates between an idle and a flooded server, and measures the first token of an organisation that does not flood. */
export const measureFlood = async (
  server: FloodedServer,
  { rounds, probes, inFlight, promptWords, floodTokens }: FloodLoad,
  signal: AbortSignal,
): Promise<FloodResult> => {
  const ask = (key: string, maxTokens: number, until: AbortSignal): Promise<Response> =>
    askChat({ ...server, key }, { content: newPrompt(promptWords), maxTokens }, until)
  const firstTokenMs = async (key: string): Promise<number> => {
    const startedMs = performance.now()
    let firstMs: number | null = null
    for await (const _ of readTexts(await ask(key, 2, signal))) firstMs ??= performance.now() - startedMs
    if (firstMs === null) throw new Error('an answer without text')
    return firstMs
  }
  const probe = async (key: string): Promise<number> => {
    const measuredMs: number[] = []
    for (let turn = 0; turn < probes; turn += 1) {
      measuredMs.push(await firstTokenMs(key))
      // Simulates a reader who pauses before the next question.
      await pause(readingMs)
    }
    return median(measuredMs)
  }
  let floodAnswers = 0
  const flood = async (): Promise<() => Promise<void>> => {
    const ending = new AbortController()
    const until = AbortSignal.any([signal, ending.signal])
    const first = Promise.withResolvers<void>()
    const keepAsking = async (): Promise<void> => {
      while (!until.aborted) {
        for await (const _ of readTexts(await ask(server.floodKey, floodTokens, until))) first.resolve()
        floodAnswers += 1
      }
    }
    const asking = Array.from({ length: inFlight }, () => keepAsking().catch(ignoreAbort(until)))
    await Promise.race([first.promise, Promise.all(asking)])
    return async () => {
      ending.abort(new Error('the flood ends'))
      await Promise.all(asking)
    }
  }

  await firstTokenMs(server.otherKey)
  const measured: Record<'idleMs' | 'floodedMs' | 'ownMs', number[]> = { idleMs: [], floodedMs: [], ownMs: [] }
  for (let round = 0; round < rounds; round += 1) {
    measured.idleMs.push(await probe(server.otherKey))
    const stop = await flood()
    measured.floodedMs.push(await probe(server.otherKey))
    measured.ownMs.push(await firstTokenMs(server.secondFloodKey))
    await stop()
    await pause(readingMs)
  }
  return {
    ratio: ratioSpread(measured.floodedMs, measured.idleMs),
    idleMs: spreadOf(measured.idleMs),
    floodedMs: spreadOf(measured.floodedMs),
    ownMs: spreadOf(measured.ownMs),
    floodAnswers,
  }
}

const readingMs = 2000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Prompts differ from the first word on, so that no part is cached. */
const newPrompt = (words: number): string => {
  const random = Array.from({ length: words }, () => Math.floor(Math.random() * 10_000))
  return `${random.join(' ')}\nTell me a long story about these numbers.`
}

const ignoreAbort =
  (signal: AbortSignal) =>
  (error: unknown): void => {
    if (!signal.aborted) throw error
  }
