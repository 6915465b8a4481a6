import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { computeCostMicros } from '../../prices/compute-cost.ts'
import type { LedgerRecords, ProgressCheckpoint, ReservationRecord, Settlement } from '../../store/ledger-contract.ts'
import type { ReplayRecord } from '../../store/replay-contract.ts'
import { correctGuess, type OnCorrected } from '../correct-guess.ts'
import { readSpoolLine } from './spool-record.ts'

type Dependencies = {
  records: Pick<LedgerRecords, 'find' | 'reserve' | 'checkpoint' | 'settle' | 'replaceGuess'>
  clock: Clock
  today(): number
  log: Log
  /** A request of the earlier process has ended, and nobody else has counted it for its upstreams. */
  onSettled?: ((model: string, settlement: Settlement) => void) | undefined
  onCorrected?: OnCorrected | undefined
}

const settledAtOnce = 100

/**
 * Writes to the database what an earlier process could not. Requests that were running when it died are settled at their
 * last checkpoint. What was written already is not written again, so this can be repeated. What another node has settled in the
 * meantime was a guess, and is replaced by what the spool knows.
 */
export const replaySpool = async (lines: readonly string[], dependencies: Dependencies): Promise<void> => {
  const { records, clock, today, log, onSettled, onCorrected } = dependencies
  if (lines.length === 0) return
  const { reservations, checkpoints, settlements, replays, damaged } = readSpool(lines)
  for (const reservation of reservations.values())
    if ((await records.find(reservation.requestId)) === null) await records.reserve([reservation])
  for (const { requestId, price } of reservations.values())
    if (!settlements.has(requestId)) settlements.set(requestId, diedAt(checkpoints.get(requestId), requestId, price))
  const running = [...checkpoints.values()].filter(({ requestId }) => !settlements.has(requestId))
  await records.checkpoint(running, clock.now())
  const all = [...settlements.values()]
  let written = 0
  let replaced = 0
  for (let from = 0; from < all.length; from += settledAtOnce) {
    const some = all.slice(from, from + settledAtOnce)
    const models = await findUnsettled(some)
    const settled = await records.settle(
      some,
      some.flatMap(({ requestId }) => replays.get(requestId) ?? []),
    )
    written += settled
    for (const settlement of settled < some.length ? some : []) await correct(settlement)
    for (const settlement of some) {
      const model = models.get(settlement.requestId)
      if (model !== undefined) onSettled?.(model, settlement)
    }
  }
  for (const checkpoint of running) await correctCheckpoint(checkpoint)
  log.warn('ledger_spool_replayed', { requests: all.length, written, replaced, damagedLines: damaged })

  function diedAt(
    checkpoint: ProgressCheckpoint | undefined,
    requestId: string,
    price: ReservationRecord['price'],
  ): Settlement {
    const counts = { ...nothing, ...checkpoint }
    const costMicros = price === null ? null : computeCostMicros(counts, price)
    return { ...counts, requestId, costMicros, ...died, durationMs: 0, endedAt: clock.now(), day: today() }
  }

  /** The models of those that nobody has settled yet. */
  async function findUnsettled(some: readonly Settlement[]): Promise<Map<string, string>> {
    const models = new Map<string, string>()
    for (const { requestId } of some) {
      const row = await records.find(requestId)
      if (row?.settlement === null) models.set(requestId, row.model)
    }
    return models
  }

  async function correct(settlement: Settlement): Promise<void> {
    const corrected = await correctGuess(settlement, replays.get(settlement.requestId), dependencies)
    if (corrected === null) return
    replaced += 1
    onCorrected?.(corrected)
    onSettled?.(corrected.model, settlement)
  }

  /** Its reservation and its first checkpoints were in the database, the last ones here. */
  async function correctCheckpoint(checkpoint: ProgressCheckpoint): Promise<void> {
    const row = await records.find(checkpoint.requestId)
    if (row?.settlement?.outcome !== 'server_died') return
    const { durationMs, endedAt, day } = row.settlement
    await correct({ ...diedAt(checkpoint, checkpoint.requestId, row.price), durationMs, endedAt, day })
  }
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
