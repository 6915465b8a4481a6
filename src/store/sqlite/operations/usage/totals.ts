import type { DatabaseSync } from 'node:sqlite'
import type { UsageTotals } from '../../../ledger-contract.ts'
import { addToDay, totalColumns } from '../../../operations/usage/totals.ts'
import { prepared } from '../../database/prepared.ts'

export type DayTotals = UsageTotals & { caller: number; day: number; model: string }

export const newDayTotals = (caller: number, day: number, model: string): DayTotals => ({
  ...{ caller, day, model, requests: 0, failed: 0, clientClosed: 0, estimated: 0, costMicros: 0 },
  ...{ promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 },
  ...{ firstTokens: 0, firstTokenMs: 0, timedTokens: 0, timedMs: 0, durationMs: 0 },
})

const upsert = `INSERT INTO usage_days (party, day, model, ${totalColumns.join(', ')})
  VALUES (?, ?, ?, ${totalColumns.map(() => '?').join(', ')}) ${addToDay}`

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
    totals.timedTokens,
    totals.timedMs,
    totals.durationMs,
  )
}
