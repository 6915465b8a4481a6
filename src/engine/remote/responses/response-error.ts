import type { ApiError } from '../../../base/api-error.ts'
import type { Redact } from '../../../base/create-redactor.ts'
import { isRecord } from '../../../base/is-record.ts'
import { errorInside } from '../refusal.ts'

/** Codes that say nothing about the request. All others do. */
const statusOfCode: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  server_is_overloaded: 503,
  slow_down: 503,
  server_error: 500,
  vector_store_timeout: 500,
}

/** The error of a response that failed, or of the event `error`. */
export const responseError = (error: unknown, redact: Redact): ApiError => {
  const fields = isRecord(error) ? error : {}
  const { code, message } = fields
  const status = typeof code === 'string' && code !== '' ? (statusOfCode[code] ?? 400) : 500
  return errorInside({ error: { message, code, status } }, redact)
}
