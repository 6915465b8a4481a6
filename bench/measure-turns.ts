import { setTimeout } from 'node:timers/promises'
import type { FloodedServer } from './flood-server.ts'
import { median, ratioSpread, type Spread, spreadOf } from './measure.ts'
import { askChat, readTexts } from './stream-chat.ts'

/** `streams`: eight long streams of two accounts. `unread`: four answers of two accounts that nobody reads. */
export type TurnsScene = 'streams' | 'unread'

type TurnsResult = { ratio: Spread; idleMs: Spread; busyMs: Spread; slowestMs: number }

const longTokens = 4000
const floods: Record<TurnsScene, number> = { streams: 8, unread: 4 }
/** Until every slot is in use, and between two questions, so that the flood has turns of its own again. */
const floodingMs = 2000
const restMs = 1000

/** The time to the first token of a third account while two others use every slot, against that of an idle server. */
export const measureTurns = async (
  server: FloodedServer,
  scene: TurnsScene,
  { rounds, probes, promptWords }: { rounds: number; probes: number; promptWords: number },
  signal: AbortSignal,
): Promise<TurnsResult> => {
  const ask = (key: string, maxTokens: number, until: AbortSignal): Promise<Response> =>
    askChat({ ...server, key }, { content: promptOf(promptWords), maxTokens, fields: { ignore_eos: true } }, until)
  const firstTokenMs = async (): Promise<number> => {
    const startedMs = performance.now()
    let firstMs: number | null = null
    for await (const _ of readTexts(await ask(server.thirdKey, 2, signal))) firstMs ??= performance.now() - startedMs
    if (firstMs === null) throw new Error('an answer without text')
    return firstMs
  }
  const probe = async (pauseMs: number): Promise<number[]> => {
    const measuredMs: number[] = []
    for (let turn = 0; turn < probes; turn += 1) {
      measuredMs.push(await firstTokenMs())
      await setTimeout(pauseMs, undefined, { signal })
    }
    return measuredMs
  }
  const flood = async (): Promise<() => Promise<void>> => {
    const ending = new AbortController()
    const until = AbortSignal.any([signal, ending.signal])
    const keys = [server.floodKey, server.otherKey]
    const first = Promise.withResolvers<void>()
    const one = async (index: number): Promise<void> => {
      const response = await ask(keys[index % 2] ?? '', longTokens, until)
      first.resolve()
      if (scene === 'unread') await new Promise((resolve) => until.addEventListener('abort', resolve, { once: true }))
      else for await (const _ of readTexts(response)) if (until.aborted) return
    }
    const all = Array.from({ length: floods[scene] }, (_, index) => one(index).catch(() => {}))
    await Promise.race([first.promise, Promise.all(all)])
    await setTimeout(floodingMs, undefined, { signal })
    return async () => {
      ending.abort()
      await Promise.all(all)
    }
  }
  await firstTokenMs()
  const idleMs: number[] = []
  const busyMs: number[] = []
  let slowestMs = 0
  for (let round = 0; round < rounds; round += 1) {
    const alone = median(await probe(0))
    const stop = await flood()
    const measuredMs = await probe(restMs)
    await stop()
    idleMs.push(alone)
    busyMs.push(median(measuredMs))
    slowestMs = Math.max(slowestMs, ...measuredMs)
    const inFlood = measuredMs.map((ms) => Math.round(ms)).join(', ')
    console.error(
      `${scene}, round ${round + 1} of ${rounds}: first token after ${Math.round(alone)} ms, beside the flood ${inFlood} ms`,
    )
  }
  return {
    ratio: ratioSpread(busyMs, idleMs),
    idleMs: spreadOf(idleMs),
    busyMs: spreadOf(busyMs),
    slowestMs: Math.round(slowestMs),
  }
}

/** Prompts differ from the first word on, so that no part is cached. */
const promptOf = (words: number): string => {
  const random = Array.from({ length: words }, () => Math.floor(Math.random() * 10_000))
  return `${random.join(' ')}\nTell me a long story about these numbers.`
}
