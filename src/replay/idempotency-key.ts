import { createHash } from 'node:crypto'
import { ApiError } from '../base/api-error.ts'

/**
 * The Idempotency-Key of a request from all the values its header came with; null without one. Sent twice it is refused,
 * not joined: nobody could say which of them is meant.
 */
export const readIdempotencyKey = (values: readonly string[] | undefined): string | null => {
  if (values === undefined) return null
  const [key = ''] = values
  if (values.length !== 1 || key.trim() === '' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw ApiError.of('invalid_idempotency_key', {}, { shouldRetry: false })
  return key
}

/** What is kept of a key: some people put names and numbers of their customers into them. */
export const hashIdempotencyKey = (key: string): Uint8Array => createHash('sha256').update(key).digest()
