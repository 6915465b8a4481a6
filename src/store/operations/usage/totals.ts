import type { UsageTotals } from '../../ledger-contract.ts'
import { integer, type Row } from '../row.ts'

/** In the order in which each is bound and read. */
export const totalColumns = [
  'requests',
  'failed',
  'client_closed',
  'estimated',
  'cost',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'first_tokens',
  'first_token_ms',
  'timed_tokens',
  'timed_ms',
  'duration_ms',
] as const

export const addToDay = `ON CONFLICT (party, day, model) DO UPDATE SET
  ${totalColumns.map((name) => `${name} = usage_days.${name} + excluded.${name}`).join(', ')}`

/** From columns whose names begin with `prefix`. */
export const usageTotals = (row: Row, prefix = ''): UsageTotals => ({
  requests: integer(row, `${prefix}requests`),
  failed: integer(row, `${prefix}failed`),
  clientClosed: integer(row, `${prefix}client_closed`),
  estimated: integer(row, `${prefix}estimated`),
  costMicros: integer(row, `${prefix}cost`),
  promptTokens: integer(row, `${prefix}prompt_tokens`),
  cachedTokens: integer(row, `${prefix}cached_tokens`),
  completionTokens: integer(row, `${prefix}completion_tokens`),
  reasoningTokens: integer(row, `${prefix}reasoning_tokens`),
  firstTokens: integer(row, `${prefix}first_tokens`),
  firstTokenMs: integer(row, `${prefix}first_token_ms`),
  timedTokens: integer(row, `${prefix}timed_tokens`),
  timedMs: integer(row, `${prefix}timed_ms`),
  durationMs: integer(row, `${prefix}duration_ms`),
})
