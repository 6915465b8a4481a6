import type { EngineEvent } from '../contract.ts'
import { splitPieces } from '../split-pieces.ts'
import { createTokenEstimate } from './estimate-prompt.ts'
import { eventText, withEventText } from './event-text.ts'

/** What may be passed on. `isReached`: there was more than the limit allows, so that the answer ends here. */
export type Limited = { events: EngineEvent[]; isReached: boolean }

/** Ends an answer at the token limit of its request, whatever the upstream sends. */
export interface AnswerLimit {
  apply(events: EngineEvent[]): Limited | Promise<Limited>
}

/** The longest tokens of common vocabularies are runs of 128 spaces, so no answer that keeps the limit has more bytes. */
const maxBytesPerToken = 256
/** The estimate is low: an answer that keeps the limit is estimated at less than this times the limit. */
const certainty = 1.25

/**
 * The limit without the model's tokenizer. Most upstreams send a token in each part, but some send characters, and others sentences. So
 * more parts than tokens are allowed while there is too little text for that many tokens, and the text itself is bounded.
 * Tokens that come with log probabilities are counted as they are.
 */
export const createEstimatedLimit = (maxTokens: number): AnswerLimit => {
  const estimate = createTokenEstimate()
  let leftBytes = maxBytesPerToken * maxTokens
  let parts = 0
  let reportedTokens = 0

  /** Counts all pieces at once if they are far from the limit. Otherwise nothing changes. */
  const passesWhole = ({ text, pieces = [] }: Extract<EngineEvent, { type: 'text' }>): boolean => {
    const bytes = Buffer.byteLength(text)
    if (parts + pieces.length > maxTokens || bytes > leftBytes) return false
    parts += pieces.length
    leftBytes -= bytes
    for (const piece of pieces) estimate.add(piece)
    return true
  }
  /** True: the limit is reached. */
  const add = (event: EngineEvent, passed: EngineEvent[]): boolean => {
    const text = eventText(event)
    if (event.type !== 'call' && event.type !== 'item') parts += 1
    if (event.type === 'token' && event.logprob !== undefined) reportedTokens += 1
    const isCertain = parts > maxTokens && estimate.tokens() >= certainty * maxTokens
    if (isCertain || reportedTokens > maxTokens) return true
    estimate.add(text)
    const bytes = event.type === 'token' ? text.length : Buffer.byteLength(text)
    if (bytes > leftBytes) {
      const fitting = firstBytes(text, leftBytes)
      if (fitting !== '') passed.push(withEventText(event, fitting))
      return true
    }
    leftBytes -= bytes
    // The limit is all that is reserved and billed.
    passed.push(parts > maxTokens && event.type !== 'token' && 'text' in event ? { ...event, tokens: 0 } : event)
    return false
  }
  return {
    apply(events) {
      const passed: EngineEvent[] = []
      for (const event of events) {
        if (event.type !== 'text' || event.pieces === undefined) {
          if (add(event, passed)) return { events: passed, isReached: true }
        } else if (passesWhole(event)) passed.push(event)
        else if (splitPieces([event]).some((one) => add(one, passed))) return { events: passed, isReached: true }
      }
      return { events: passed, isReached: false }
    },
  }
}

/** Cuts between characters, never within one. */
const firstBytes = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })
