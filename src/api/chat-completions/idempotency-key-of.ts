import type { Exchange } from '../../http/exchange.ts'
import { readIdempotencyKey } from '../../replay/idempotency-key.ts'
import type { CompletionCaller } from './completion-caller.ts'

/** Throws where it cannot be one. The playground has a page in front of it, which asks once. */
export const idempotencyKeyOf = ({ request }: Exchange, { key }: CompletionCaller): string | null =>
  key === null ? null : readIdempotencyKey(request.headersDistinct['idempotency-key'])
