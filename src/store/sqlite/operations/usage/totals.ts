import type { DatabaseSync } from 'node:sqlite'
import type { UsageTotals } from '../../../ledger-contract.ts'
import { integer, type Row } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'

export type DayTotals = UsageTotals & { caller: number; day: number; model: string }

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
  'duration_ms',
] as const

export const newDayTotals = (caller: number, day: number, model: string): DayTotals => ({
  ...{ caller, day, model, requests: 0, failed: 0, clientClosed: 0, estimated: 0, costMicros: 0 },
  ...{ promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 },
  ...{ firstTokens: 0, firstTokenMs: 0, durationMs: 0 },
})

const upsert = `INSERT INTO usage_days (party, day, model, ${totalColumns.join(', ')})
  VALUES (?, ?, ?, ${totalColumns.map(() => '?').join(', ')})
  ON CONFLICT (party, day, model) DO UPDATE SET ${totalColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

export const addToTotals = (db: DatabaseSync, totals: DayTotals): void => {
  prepared(db, upsert).run(
    totals.caller,
    totals.day,
    totals.model,
    totals.requests,
    totals.failed,
    totals.clientClosed,
    totals.estimated,
    totals.costMicros,
    totals.promptTokens,
    totals.cachedTokens,
    totals.completionTokens,
    totals.reasoningTokens,
    totals.firstTokens,
    totals.firstTokenMs,
    totals.durationMs,
  )
}

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
  durationMs: integer(row, `${prefix}duration_ms`),
})
