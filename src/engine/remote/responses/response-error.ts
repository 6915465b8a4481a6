import type { ApiError } from '../../../base/api-error.ts'
import type { Redact } from '../../../base/create-redactor.ts'
import { isRecord } from '../../../base/is-record.ts'
import { errorInside } from '../refusal.ts'

/** Codes about the upstream. */
const ownCodes: ReadonlyMap<string, number> = new Map([
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['server_is_overloaded', 503],
  ['slow_down', 503],
  ['server_error', 500],
  ['vector_store_timeout', 500],
])

/** Codes about the request, which no other upstream would answer either. Wrong keys are the operator's mistake. */
const requestCode =
  /^(invalid_(?!api_key|authentication|credential|organi[sz]ation|project|token)|image_|empty_image|unsupported_|context_length|string_above_|missing_required_|failed_to_download_image)|policy|^content_filter$/

/** The error of a response that failed, or of the event `error`. Of all other codes nothing is passed on, and another upstream may be asked. */
export const responseError = (error: unknown, redact: Redact): ApiError => {
  const { code, message, type } = isRecord(error) ? error : {}
  return errorInside({ error: { message, code, type, status: statusOfCode(code) } }, redact)
}

const statusOfCode = (code: unknown): number | undefined => {
  if (typeof code !== 'string') return undefined
  return requestCode.test(code) ? 400 : ownCodes.get(code)
}
