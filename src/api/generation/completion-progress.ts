import type { Exchange } from '../../http/exchange.ts'

/**
 * How far a chat completion has come. Each step adds what it knows; the log event of the request repeats all of it, so it
 * holds counts and names, never text of prompts or answers.
 */
export type CompletionProgress = {
  model?: string
  stream?: boolean
  /** Set once the ledger has the request. */
  reservedTokens?: number
  /** The answer is the one of an earlier request with the same Idempotency-Key. */
  replayed?: boolean
  /** The answer came from the cache. */
  cached?: boolean
  /** What hooks did: `writeHookActions`. */
  hooks?: string
  /** How many unknown fields of the request were left out. */
  ignoredFields?: number
  queueMs?: number
  firstTokenMs?: number
  /** How often, and for how long in total, the answer was paused in favour of other requests. */
  pauses?: number
  pausedMs?: number
  promptTokens?: number
  completionTokens?: number
  finishReason?: string
  /** The upstreams that answered, in order, separated by commas. */
  upstreams?: string
  /** Requests that were sent to upstreams for it. */
  upstreamAttempts?: number
}

/** Null before a request is handled. Sound because `withPrecheck` alone sets it. */
export const findProgress = ({ progress }: Pick<Exchange, 'progress'>): CompletionProgress | null =>
  progress as CompletionProgress | null
