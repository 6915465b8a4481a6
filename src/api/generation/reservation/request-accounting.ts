import type { Clock } from '../../../base/clock.ts'
import type { AnswerRoute } from '../../../engine/contract.ts'
import { ClientGone } from '../../../http/exchange.ts'
import { toApiError } from '../../../http/respond.ts'
import type { TokenReservation } from '../../../limits/limiter-contract.ts'
import type { Slot } from '../../../schedule/request-queue.ts'
import type { Outcome, RequestCounts, SettledPauses } from '../../../store/ledger-contract.ts'
import type { ReplayRecord } from '../../../store/replay-contract.ts'
import type { RequestTrace } from '../../../traces/request-trace.ts'
import type { Ending, Entry, Settling } from '../../../usage/ledger-contract.ts'
import { createMeter, type Meter } from '../../../usage/meter.ts'
import { settledRoute } from '../answer/answer-route.ts'
import type { CompletionProgress } from '../completion-progress.ts'

/** Records one request consistently in the ledger, in its limits and in the log. */
export interface RequestAccounting {
  readonly meter: Meter
  /** The request got this slot after this time. */
  queued(queueMs: number, slot: Pick<Slot, 'pauses' | 'pausePeriods'>): void
  /** The engine has read the prompt, or an upstream has accepted it. */
  prefilled(): void
  /** The engine has generated its first token. */
  begun(): void
  finished(reason: string): void
  /** All of the answer was delivered except its end, which follows once this is written, together with the replay. */
  complete(replay: ReplayRecord | undefined): Settling
  /** The request ended early, and is billed for what was delivered until then. Only the first ending counts. */
  fail(error: unknown, signal: AbortSignal): void
}

/** Is told how an answer ends. */
export type AnswerObserver = {
  /** A choice has finished. */
  finished(reason: string): void
  /** All of it was counted, and it is about to be settled. */
  completed(counts: Readonly<RequestCounts>): void
}

type AccountingOptions = {
  entry: Entry
  reservation: TokenReservation
  requestId: string
  choices: number
  /** When the request arrived, on the monotonic clock. */
  startedMs: number
  /** The upstreams that have answered so far. */
  route?: (() => AnswerRoute | undefined) | undefined
  progress: CompletionProgress
  observer?: AnswerObserver | undefined
  trace: RequestTrace | null
  clock: Clock
}

export const openRequestAccounting = ({
  entry,
  reservation,
  requestId,
  choices,
  startedMs,
  route,
  progress,
  observer,
  trace,
  clock,
}: AccountingOptions): RequestAccounting => {
  const reached: Pick<Ending, 'queueMs' | 'firstTokenMs' | 'finishReason'> = {
    queueMs: null,
    firstTokenMs: null,
    finishReason: null,
  }
  let isSettled = false
  let slot: Parameters<RequestAccounting['queued']>[1] | null = null
  const elapsedMs = (): number => Math.round(clock.monotonicMs() - startedMs)
  // At every count: if the client disconnects, the request is logged before its answer has ended.
  const meter = createMeter(choices, (counts) => {
    entry.count(counts)
    progress.promptTokens = counts.promptTokens
    progress.completionTokens = counts.completionTokens
  })
  const settle = (outcome: Outcome, error: string | null, replay?: ReplayRecord): Settling => {
    isSettled = true
    const finishReason = outcome === 'completed' ? reached.finishReason : null
    const paused: SettledPauses = slot?.pauses() ?? { count: 0, ms: 0 }
    const standing = paused.count === 0 ? {} : { pauses: paused }
    if (paused.count > 0) {
      progress.pauses = paused.count
      progress.pausedMs = Math.round(paused.ms)
    }
    const { hooks } = progress
    const hooked = hooks === undefined ? {} : { hooks }
    const timing = { ...reached, ...standing, ...hooked, durationMs: elapsedMs() }
    const ending = { outcome, error, ...timing, finishReason, ...settledRoute(route?.()) }
    const settling = entry.settle(ending, replay)
    trace?.settles({ outcome, error, finishReason, counts: meter.counts }, slot?.pausePeriods() ?? [])
    // Before awaiting anything: the next request of this client may already be on its way.
    reservation.settle(meter.counts, settling.durable)
    return settling
  }
  return {
    meter,
    queued(ms, taken) {
      slot = taken
      trace?.reached('started')
      reached.queueMs = ms
      progress.queueMs = ms
    },
    prefilled: () => trace?.reached('prefilled'),
    begun() {
      trace?.reached('first_token')
      reached.firstTokenMs = elapsedMs()
      progress.firstTokenMs = reached.firstTokenMs
    },
    finished(reason) {
      reached.finishReason = reason
      progress.finishReason = reason
      observer?.finished(reason)
    },
    complete(replay) {
      observer?.completed(meter.counts)
      return settle('completed', null, replay)
    },
    fail(error, signal) {
      if (isSettled) return
      if (isClientGone(error) || (signal.aborted && isClientGone(signal.reason))) settle('client_closed', null)
      else settle('failed', toApiError(error, requestId).errorName)
    },
  }
}

const isClientGone = (reason: unknown): boolean => reason instanceof ClientGone
