import type { Clock } from '../../../base/clock.ts'
import type { AnswerRoute } from '../../../engine/contract.ts'
import type { TokenReservation } from '../../../limits/limiter-contract.ts'
import type { ToBeReserved } from '../../../store/ledger-contract.ts'
import type { RequestTrace } from '../../../traces/request-trace.ts'
import type { Ledger } from '../../../usage/ledger-contract.ts'
import type { CompletionProgress } from '../completion-progress.ts'
import { type AnswerObserver, openRequestAccounting, type RequestAccounting } from './request-accounting.ts'

type ReservedRequest = ToBeReserved & {
  choices: number
  /** When the request arrived, on the monotonic clock. */
  startedMs: number
  /** Only with an engine that chooses between upstreams. */
  route?(): AnswerRoute | undefined
  progress: CompletionProgress
  observer?: AnswerObserver | undefined
  trace: RequestTrace | null
}

/** Enters an admitted request into the ledger. If that fails, its reservation is released. */
export const reserveRequest = async (
  { choices, startedMs, route, progress, observer, trace, ...record }: ReservedRequest,
  reservation: TokenReservation,
  { ledger, clock }: { ledger: Pick<Ledger, 'reserve'>; clock: Clock },
): Promise<RequestAccounting> => {
  const { reservedTokens, price, reservedMicros, applied: limits } = reservation
  try {
    const reserved = { reservedTokens, price, reservedMicros, limits }
    const entry = await ledger.reserve({ ...record, ...reserved, createdAt: clock.now() }, reservation)
    progress.reservedTokens = reservedTokens
    trace?.reached('queued')
    const { requestId } = record
    const request = { requestId, choices, startedMs, route, progress, observer, trace }
    return openRequestAccounting({ entry, reservation, ...request, clock })
  } catch (error) {
    reservation.cancel()
    throw error
  }
}
