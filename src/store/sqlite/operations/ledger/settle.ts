import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { storedSettlementColumns } from '../../../operations/ledger/ledger-columns.ts'
import type { SettlementRow } from '../../../operations/ledger/ledger-rows.ts'
import type { ReplayRecord } from '../../../replay-contract.ts'
import { insertRows, rowInsert } from '../../database/insert-rows.ts'
import { addToTotals, type DayTotals, newDayTotals } from '../usage/totals.ts'
import { findOpenRequests } from './ledger-cache.ts'
import { advanceSettled } from './settled-up-to.ts'
import { storeReplay } from './store-replay.ts'

const insert = rowInsert('ledger_settlements', ['reservation', ...storedSettlementColumns])

/** How many were settled now. The primary key makes a second settlement of a request impossible. */
export const settleRequests = (
  db: DatabaseSync,
  rows: readonly SettlementRow[],
  replays: readonly ReplayRecord[],
): number => {
  const open = findOpenRequests(db)
  const days = new Map<string, DayTotals>()
  const settled = new Set<string>()
  const inserted: SQLInputValue[][] = []
  for (const row of rows) {
    const [requestId, ...columns] = row
    const request = open.byId.get(requestId)
    if (request === undefined) continue
    open.byId.delete(requestId)
    settled.add(requestId)
    inserted.push([request.sequence, ...columns])
    count(findDayTotals(days, request.caller, request.model, row), row)
  }
  insertRows(db, insert, inserted)
  // Added up before, because requests that end together are mostly of the same few keys.
  for (const day of days.values()) addToTotals(db, day)
  for (const replay of replays) if (settled.has(replay.requestId)) storeReplay(db, replay)
  advanceSettled(db, open)
  return settled.size
}

const findDayTotals = (days: Map<string, DayTotals>, caller: number, model: string, row: SettlementRow): DayTotals => {
  const day = row[13]
  const name = `${caller} ${day} ${model}`
  let totals = days.get(name)
  if (totals === undefined) {
    totals = newDayTotals(caller, day, model)
    days.set(name, totals)
  }
  return totals
}

const count = (day: DayTotals, row: SettlementRow): void => {
  const [, promptTokens, cachedTokens, completionTokens, reasoningTokens, isEstimated, outcome] = row
  const [firstTokenMs, durationMs, timedMs] = [row[10], row[11], row[18]]
  day.requests += 1
  if (outcome === 'failed' || outcome === 'server_died') day.failed += 1
  if (outcome === 'client_closed') day.clientClosed += 1
  day.estimated += isEstimated
  day.costMicros += row[14] ?? 0
  day.promptTokens += promptTokens
  day.cachedTokens += cachedTokens
  day.completionTokens += completionTokens
  day.reasoningTokens += reasoningTokens
  if (firstTokenMs !== null) {
    day.firstTokens += 1
    day.firstTokenMs += firstTokenMs
  }
  if (timedMs !== null) {
    day.timedTokens += completionTokens - 1
    day.timedMs += timedMs
  }
  day.durationMs += durationMs
}
