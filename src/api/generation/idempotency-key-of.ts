import type { Exchange } from '../../http/exchange.ts'
import { readIdempotencyKey } from '../../replay/idempotency-key.ts'
import type { CompletionCaller } from './completion-caller.ts'

/** Throws if the header is invalid. The playground ignores it: its page sends every request once. */
export const idempotencyKeyOf = ({ request }: Exchange, { key }: CompletionCaller): string | null =>
  key === null ? null : readIdempotencyKey(request.headersDistinct['idempotency-key'])
