import type { Fetch } from '../../platform/platform.ts'

/** An answer that nobody has taken after this time is no longer one to a question asked now. */
const keptMs = 5000

export type FirstAnswers = {
  /** Asks before the app is there. */
  readonly early: Fetch
  /** What the app asks with: what was asked before is not asked again, once. */
  readonly later: Fetch
}

/** Answers that the first sight of a page has asked for, and that the page itself needs a moment later. */
export const createFirstAnswers = (fetchUrl: Fetch, now: () => number): FirstAnswers => {
  const asked = new Map<string, { answer: Promise<Response>; askedMs: number }>()
  const take = (url: string): Promise<Response> | undefined => {
    const found = asked.get(url)
    asked.delete(url)
    return found !== undefined && now() - found.askedMs < keptMs ? found.answer : undefined
  }
  return {
    async early(url, init) {
      // The notices and the sentence may need the same.
      const answer = asked.get(url)?.answer ?? fetchUrl(url, init)
      if (!asked.has(url)) asked.set(url, { answer, askedMs: now() })
      return (await answer).clone()
    },
    async later(url, init) {
      // What is changed may be part of any answer.
      if (init.method !== 'GET') asked.clear()
      const early = take(url)
      // What did not arrive, or was refused, is asked again: the page may be of another organisation by now.
      const answer = await early?.catch(() => undefined)
      return answer?.ok ? answer : fetchUrl(url, init)
    },
  }
}
