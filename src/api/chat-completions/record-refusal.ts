import type { Clock } from '../../base/clock.ts'
import type { ApiError } from '../../base/errors.ts'
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
  ({ requestId, facts, elapsedMs }: Exchange, error: ApiError): void => {
    const { organisationId, keyId, model, stream, reservedTokens, replayed } = facts
    if (typeof organisationId !== 'string' || reservedTokens !== undefined || replayed === true) return
    rooms.refusals.add({
      requestId,
      organisationId,
      keyId: typeof keyId === 'string' ? keyId : null,
      model: typeof model === 'string' ? model : null,
      endpoint: typeof keyId === 'string' ? 'chat.completions' : 'playground',
      stream: typeof stream === 'boolean' ? stream : null,
      error: error.errorName,
      limit: refusingLimitOf(error),
      createdAt: rooms.clock.now(),
      durationMs: elapsedMs(),
    })
  }
