import type { LedgerRow } from '../store/ledger-contract.ts'
import { addToWindow } from './sliding-window.ts'
import type { UsageCounters } from './usage-counters.ts'

type Event = { atMs: number; requests: number; tokens: number; row: LedgerRow }
type Now = { nowMs: number; now: number }

/**
 * Counts what the previous process admitted and settled, so that a restart does not reset the windows. A time in the future,
 * because the clock was set back, counts as now. Requests that are open in the ledger count as if they had ended now with
 * all reserved tokens, because nothing will settle them here.
 */
export const refillWindows = (
  rows: readonly LedgerRow[],
  { nowMs, now }: Now,
  countersOf: (row: LedgerRow) => readonly UsageCounters[],
): void => {
  const toMs = (time: number): number => nowMs - Math.max(0, now - time)
  const events = rows.flatMap((row): Event[] => {
    const { createdAt, reservedTokens, settlement } = row
    const tokens = settlement === null ? reservedTokens : settlement.promptTokens + settlement.completionTokens
    return [
      { atMs: toMs(createdAt), requests: 1, tokens: 0, row },
      { atMs: settlement === null ? nowMs : toMs(settlement.endedAt), requests: 0, tokens, row },
    ]
  })
  for (const { atMs, requests, tokens, row } of events.sort((one, other) => one.atMs - other.atMs))
    for (const counters of countersOf(row)) {
      addToWindow(counters.requests, atMs, requests)
      addToWindow(counters.settled, atMs, tokens)
    }
}
