import type { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { refusingLimitOf } from '../../limits/refusal.ts'
import type { Refusals } from '../../usage/refusals.ts'

export type RecordRefusalDependencies = { refusals: Refusals; clock: Clock }

/**
 * Writes down that a request was refused before it was let in: afterwards the ledger has it. What it asked for is left out,
 * and so is a model that is not served here: that may be any text. A retry that was told the answer of another request is
 * that one's.
 */
export const createRecordRefusal =
  (rooms: RecordRefusalDependencies) =>
  ({ requestId, caller, progress, elapsedMs }: Exchange, error: ApiError): void => {
    if (caller === null || progress?.reservedTokens !== undefined || progress?.replayed) return
    const { organisationId, keyId = null } = caller
    rooms.refusals.add({
      requestId,
      organisationId,
      keyId,
      model: progress?.model ?? null,
      endpoint: keyId === null ? 'playground' : 'chat.completions',
      stream: progress?.stream ?? null,
      error: error.errorName,
      limit: refusingLimitOf(error),
      createdAt: rooms.clock.now(),
      durationMs: elapsedMs(),
    })
  }
