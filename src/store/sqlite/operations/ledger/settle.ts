import type { DatabaseSync } from 'node:sqlite'
import type { ReplayRecord, Settlement } from '../../../ledger-contract.ts'
import { prepared } from '../../database/prepared.ts'
import { storeReplay } from '../replays/replays.ts'
import { addToTotals, type DayTotals, newDayTotals } from '../usage/totals.ts'
import { cachedOpenRequests } from './ledger-cache.ts'
import { findOpenRequest } from './reserve.ts'

/** How many were closed now. The primary key makes a second settlement of a request impossible. */
export const settleRequests = (
  db: DatabaseSync,
  settlements: readonly Settlement[],
  replays: readonly ReplayRecord[],
): number => {
  const days = new Map<string, DayTotals>()
  const closed = new Set<string>()
  for (const settlement of settlements) {
    const request = findOpenRequest(db, settlement.requestId)
    if (request === null || !insertSettlement(db, request.sequence, settlement)) continue
    prepared(db, 'DELETE FROM ledger_open WHERE reservation = ?').run(request.sequence)
    cachedOpenRequests(db).delete(settlement.requestId)
    closed.add(settlement.requestId)
    const { caller, model } = request
    const name = `${caller} ${settlement.day} ${model}`
    let day = days.get(name)
    if (day === undefined) {
      day = newDayTotals(caller, settlement.day, model)
      days.set(name, day)
    }
    count(day, settlement)
  }
  // Added up before, because requests that end together are mostly of the same few keys.
  for (const day of days.values()) addToTotals(db, day)
  for (const replay of replays) if (closed.has(replay.requestId)) storeReplay(db, replay)
  return closed.size
}

const insertSettlement = (db: DatabaseSync, sequence: number, settlement: Settlement): boolean => {
  const insert = `INSERT INTO ledger_settlements (
      reservation, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, outcome, finish_reason, error,
      queue_ms, first_token_ms, duration_ms, ended_at, day, is_estimated
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  const { changes } = prepared(db, insert).run(
    sequence,
    settlement.promptTokens,
    settlement.cachedTokens,
    settlement.completionTokens,
    settlement.reasoningTokens,
    settlement.outcome,
    settlement.finishReason,
    settlement.error,
    wholeOrNull(settlement.queueMs),
    wholeOrNull(settlement.firstTokenMs),
    Math.round(settlement.durationMs),
    settlement.endedAt,
    settlement.day,
    settlement.isEstimated === true ? 1 : 0,
  )
  return changes === 1
}

const count = (day: DayTotals, settlement: Settlement): void => {
  day.requests += 1
  if (settlement.outcome === 'failed' || settlement.outcome === 'server_died') day.failed += 1
  if (settlement.outcome === 'client_closed') day.clientClosed += 1
  day.promptTokens += settlement.promptTokens
  day.cachedTokens += settlement.cachedTokens
  day.completionTokens += settlement.completionTokens
  day.reasoningTokens += settlement.reasoningTokens
  if (settlement.firstTokenMs !== null) {
    day.firstTokens += 1
    day.firstTokenMs += Math.round(settlement.firstTokenMs)
  }
  day.durationMs += Math.round(settlement.durationMs)
}

/** Monotonic clocks have fractions of milliseconds; the columns are whole numbers. */
const wholeOrNull = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))
