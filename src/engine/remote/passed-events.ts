import type { EngineEvent } from '../contract.ts'
import { createEstimatedLimit, type Limited } from './answer-limit.ts'
import { createCountedLimit } from './counted-limit.ts'
import { createHideKey } from './hide-key.ts'
import type { TokenCounter } from './tokenizer/token-counters.ts'

/** What callers get of an answer: without the upstream's key, and no more than the request allows. */
export interface PassedEvents {
  pass(events: EngineEvent[], isEnd: boolean): Limited | Promise<Limited>
}

type PassedEventsOptions = {
  key: string | null
  /** Null: no limit was sent. */
  maxTokens: number | null
  /** Null if the tokenizer of the model is not known. */
  counter: TokenCounter | null
  /** The organisation whose text it is. */
  scope: string
}

export const createPassedEvents = ({ key, maxTokens, counter, scope }: PassedEventsOptions): PassedEvents => {
  const hidden = createHideKey(key)
  const estimated = maxTokens === null ? null : createEstimatedLimit(maxTokens)
  const limit =
    maxTokens === null || estimated === null || counter === null
      ? estimated
      : createCountedLimit({ maxTokens, countTexts: (texts) => counter.texts(texts, scope), otherwise: estimated })
  return {
    pass(events, isEnd) {
      const shown = isEnd ? [...hidden.push(events), ...hidden.end()] : hidden.push(events)
      return limit === null || shown.length === 0 ? { events: shown, isReached: false } : limit.apply(shown)
    },
  }
}
