import { createHash } from 'node:crypto'
import { ApiError } from '../base/api-error.ts'

/**
 * The Idempotency-Key of a request, from all values of its header; null without one. If it was sent twice, the request is
 * refused, because it is unclear which one is meant.
 */
export const readIdempotencyKey = (values: readonly string[] | undefined): string | null => {
  if (values === undefined) return null
  const [key = ''] = values
  if (values.length !== 1 || key.trim() === '' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw ApiError.of('invalid_idempotency_key', {}, { shouldRetry: false })
  return key
}

/** Keys are stored only as hashes, because some contain personal data such as customer names. */
export const hashIdempotencyKey = (key: string): Uint8Array => createHash('sha256').update(key).digest()
