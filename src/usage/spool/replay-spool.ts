import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { computeCostMicros } from '../../prices/compute-cost.ts'
import type { LedgerRecords, ProgressCheckpoint, ReservationRecord, Settlement } from '../../store/ledger-contract.ts'
import type { ReplayRecord } from '../../store/replay-contract.ts'
import { readSpoolLine } from './spool-record.ts'

type Dependencies = {
  records: Pick<LedgerRecords, 'find' | 'reserve' | 'checkpoint' | 'settle'>
  clock: Clock
  today(): number
  log: Log
}

const settledAtOnce = 100

/**
 * Writes to the database what an earlier process could not. Requests that were running when it died are settled at their
 * last checkpoint. What was written already is not written again, so this can be repeated.
 */
export const replaySpool = async (lines: readonly string[], dependencies: Dependencies): Promise<void> => {
  const { records, clock, today, log } = dependencies
  if (lines.length === 0) return
  const { reservations, checkpoints, settlements, replays, damaged } = readSpool(lines)
  for (const reservation of reservations.values())
    if ((await records.find(reservation.requestId)) === null) await records.reserve([reservation])
  for (const { requestId, price } of reservations.values()) {
    if (settlements.has(requestId)) continue
    const counts = { ...nothing, ...checkpoints.get(requestId) }
    const costMicros = price === null ? null : computeCostMicros(counts, price)
    const ended = { durationMs: 0, endedAt: clock.now(), day: today() }
    settlements.set(requestId, { requestId, ...counts, costMicros, ...died, ...ended })
  }
  const running = [...checkpoints.values()].filter(({ requestId }) => !settlements.has(requestId))
  await records.checkpoint(running, clock.now())
  const all = [...settlements.values()]
  let written = 0
  for (let from = 0; from < all.length; from += settledAtOnce) {
    const some = all.slice(from, from + settledAtOnce)
    written += await records.settle(
      some,
      some.flatMap(({ requestId }) => replays.get(requestId) ?? []),
    )
  }
  // Those that another node has settled in the meantime keep that settlement.
  log.warn('ledger_spool_replayed', { requests: all.length, written, damagedLines: damaged })
}

const readSpool = (lines: readonly string[]) => {
  const reservations = new Map<string, ReservationRecord>()
  const checkpoints = new Map<string, ProgressCheckpoint>()
  const settlements = new Map<string, Settlement>()
  const replays = new Map<string, ReplayRecord>()
  let damaged = 0
  for (const line of lines) {
    const record = readSpoolLine(line)
    if (record === null) damaged += 1
    else if (record.kind === 'reservation') reservations.set(record.reservation.requestId, record.reservation)
    else if (record.kind === 'checkpoint') checkpoints.set(record.checkpoint.requestId, record.checkpoint)
    else {
      settlements.set(record.settlement.requestId, record.settlement)
      if (record.replay !== null) replays.set(record.settlement.requestId, record.replay)
    }
  }
  return { reservations, checkpoints, settlements, replays, damaged }
}

const nothing = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0, isEstimated: false }
const died = { outcome: 'server_died', finishReason: null, error: null, queueMs: null, firstTokenMs: null } as const
