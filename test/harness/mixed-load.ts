import type { Script } from '../../src/engine/scripted.ts'
import { createRandom } from './hostile-schemas.ts'
import { modelName } from './start-helix.ts'

/** Requests of all kinds from a seed; some clients disconnect at any moment. */
export type MixedLoad = { url: string; keys: readonly string[]; requests: number; concurrency: number; seed: number }

export type MixedOutcomes = { answered: number; left: number; refused: number }

/** As many tokens as the question asks for. */
export const answerMixed: Script = function* ([message]) {
  for (let left = Number(message?.content); left > 0; left -= 1) yield 'word '
}

export const runMixedLoad = async ({ url, keys, requests, concurrency, seed }: MixedLoad): Promise<MixedOutcomes> => {
  const below = createRandom(seed)
  const happens = (percent: number): boolean => below(100) < percent
  const outcomes: MixedOutcomes = { answered: 0, left: 0, refused: 0 }
  const ask = async (): Promise<void> => {
    const leaving = new AbortController()
    const stream = happens(60)
    /** Leaves after this many reads; a client that stays reads everything. */
    const leavesAfter = happens(40) ? below(6) : Number.POSITIVE_INFINITY
    const body = {
      model: modelName,
      messages: [{ role: 'user', content: String(1 + below(happens(20) ? 200 : 12)) }],
      stream,
      n: happens(20) ? 1 + below(4) : 1,
      ...(happens(50) ? { max_tokens: 1 + below(50) } : {}),
    }
    const headers = { authorization: `Bearer ${keys[below(keys.length)]}`, 'content-type': 'application/json' }
    // Before the answer begins, at some turn of the event loop.
    if (leavesAfter === 0) void turns(below(20)).then(() => leaving.abort())
    try {
      const init = { method: 'POST', headers, body: JSON.stringify(body), signal: leaving.signal }
      const response = await fetch(`${url}/v1/chat/completions`, init)
      let reads = 0
      for await (const _ of response.body ?? []) {
        reads += 1
        if (reads >= leavesAfter) leaving.abort()
      }
      outcomes[response.ok ? 'answered' : 'refused'] += 1
    } catch (error) {
      if (!leaving.signal.aborted) throw error
      outcomes.left += 1
    }
  }
  let begun = 0
  const keepAsking = async (): Promise<void> => {
    while (begun < requests) {
      begun += 1
      await ask()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, keepAsking))
  return outcomes
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
