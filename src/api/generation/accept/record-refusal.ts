import type { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { LimitExceeded } from '../../../limits/limit-exceeded.ts'
import type { Endpoint } from '../../../store/ledger-contract.ts'
import type { RefusalLog } from '../../../usage/refusal-log.ts'
import { findProgress } from '../completion-progress.ts'

type RecordRefusalDependencies = {
  refusals: Pick<RefusalLog, 'add'>
  clock: Clock
  /** Set for requests with a key. */
  endpoint: Endpoint
}

export type RecordRefusal = (exchange: Exchange, error: ApiError) => void

/**
 * Records in the request log that a request was refused before it was admitted; admitted requests are in the ledger.
 * The content of the request is not recorded, nor is the name of a model that is not served here, which may be any
 * text. A replayed answer belongs to the request that it was generated for.
 */
export const createRecordRefusal =
  ({ refusals, clock, endpoint }: RecordRefusalDependencies): RecordRefusal =>
  (exchange, error) => {
    const { requestId, caller, elapsedMs } = exchange
    const progress = findProgress(exchange)
    if (caller === null || progress?.reservedTokens !== undefined || progress?.replayed) return
    const { organisationId, keyId = null } = caller
    refusals.add({
      requestId,
      organisationId,
      keyId,
      model: progress?.model ?? null,
      endpoint: keyId === null ? 'playground' : endpoint,
      stream: progress?.stream ?? null,
      error: error.errorName,
      limit: error instanceof LimitExceeded ? error.limit : null,
      ...(progress?.hooks === undefined ? {} : { hooks: progress.hooks }),
      createdAt: clock.now(),
      durationMs: elapsedMs(),
    })
  }
