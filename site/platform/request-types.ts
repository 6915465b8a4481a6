import type { StoredText } from '../../src/store/body-contract.ts'
import type { AppliedLimits } from '../../src/store/ledger-contract.ts'
import type { RefusingLimit } from '../../src/store/request-log-contract.ts'

/** What `GET /platform/requests` answers. What is not known while a request runs, or never came to be, is null. */
export const outcomes = ['running', 'completed', 'failed', 'client_closed', 'server_died', 'refused'] as const
export type RequestOutcome = (typeof outcomes)[number]

export type ShownRequest = {
  id: string
  /** Null: the playground. */
  keyId: string | null
  model: string | null
  endpoint: 'chat.completions' | 'playground'
  stream: boolean | null
  reservedTokens: number | null
  /** Null: not recorded. */
  limits: AppliedLimits | null
  startedAt: number
  outcome: RequestOutcome
  error: { name: string; status: number | null; code: string | null } | null
  /** The limit that stood in the way of one that was refused. */
  refusedBy: RefusingLimit | null
  /** So many more were refused right behind it, and not written down. */
  leftOut: number
  finishReason: string | null
  promptTokens: number | null
  cachedTokens: number | null
  completionTokens: number | null
  reasoningTokens: number | null
  /** The upstream omitted some of the counts, or sent impossible ones. */
  estimated: boolean
  queueMs: number | null
  firstTokenMs: number | null
  durationMs: number | null
  endedAt: number | null
}

export type RequestList = {
  data: ShownRequest[]
  /** Where the next page begins; null at the end. */
  next: string | null
  /** Where the stream of what comes next begins. */
  live: string | null
}

/** One event of `GET /platform/requests/events`. */
export type RequestEvent = { type: 'requests'; data: ShownRequest[] } | { type: 'beat' } | { type: 'reset' }

/** What `GET /platform/requests/{request}/bodies` answers. `days` is null where the organisation keeps none. */
export type RequestBodies = { days: number | null; request: StoredText | null; answer: StoredText | null }
