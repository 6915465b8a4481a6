import type { AppliedLimits } from '../../src/store/ledger-contract.ts'

/** What `GET /platform/requests` answers. What is not known while a request runs is null. */
export const outcomes = ['running', 'completed', 'failed', 'client_closed', 'server_died'] as const
export type RequestOutcome = (typeof outcomes)[number]

export type ShownRequest = {
  id: string
  /** Null: the playground. */
  keyId: string | null
  model: string
  endpoint: 'chat.completions' | 'playground'
  stream: boolean
  reservedTokens: number
  /** Null: not recorded. */
  limits: AppliedLimits | null
  startedAt: number
  outcome: RequestOutcome
  error: { name: string; status: number | null; code: string | null } | null
  finishReason: string | null
  promptTokens: number | null
  cachedTokens: number | null
  completionTokens: number | null
  reasoningTokens: number | null
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
