import type { OperationHeader } from '../../../operations/operation.ts'

/** Headers of endpoints that generate text. */
export const retryHeaders: readonly OperationHeader[] = [
  {
    name: 'Idempotency-Key',
    description: 'Makes retries safe: requests with the same key and body return the same completion, billed once.',
    json: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
  {
    name: 'Last-Event-ID',
    description: 'Together with the Idempotency-Key of an interrupted stream, resumes the stream after this event.',
    json: { type: 'string' },
  },
]
