import type { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { ApiStyle } from '../../http/api-style.ts'
import { errorLimitJson } from '../../http/error-body.ts'
import { parseGoDuration } from '../../limits/go-duration.ts'

/** Errors, events and headers as Anthropic's API has them. */
export const createAnthropicStyle = (clock: Clock): ApiStyle => ({
  keyHeader: 'x-api-key',
  headers: (requestId) => ({ 'request-id': requestId }),
  limitHeaders: (headers) => ({ ...headers, ...ownLimitHeaders(headers, clock.now()) }),
  errorBody,
  errorEvent: (error, requestId) => JSON.stringify(errorBody(error, requestId)),
  eventName: (data) => data.slice(typeStart.length, data.indexOf('"', typeStart.length)),
  endMarker: null,
  ping: 'event: ping\ndata: {"type":"ping"}\n\n',
})

/** Every event begins with its type. */
const typeStart = '{"type":"'

const errorBody = (error: ApiError, requestId: string) => ({
  type: 'error',
  error: { type: errorType(error.status), message: error.message.toWellFormed(), ...errorDetails(error) },
  request_id: requestId,
})

/** Codes that clients of that API act upon. */
const knownCodes: ReadonlySet<string> = new Set(['thread_unsupported_request'])

/** Limits and a busy server have a code too: their types do not tell which limit it was, and when to try again. */
const errorDetails = ({ code, status, options: { limit } }: ApiError) => {
  if (code === null || !(knownCodes.has(code) || status === 429 || status === 503)) return {}
  return { details: { error_code: code, ...(limit === undefined ? {} : { limit: errorLimitJson(limit) }) } }
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}
const errorType = (status: number): string => types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

/** The same limits under the names of that API, which gives the time of a reset instead of the wait. */
const ownLimitHeaders = (headers: Readonly<Record<string, string>>, now: number): Record<string, string> => {
  const own: Record<string, string> = {}
  for (const what of ['requests', 'tokens']) {
    const limit = headers[`x-ratelimit-limit-${what}`]
    const remaining = headers[`x-ratelimit-remaining-${what}`]
    const reset = headers[`x-ratelimit-reset-${what}`]
    if (limit === undefined || remaining === undefined || reset === undefined) continue
    own[`anthropic-ratelimit-${what}-limit`] = limit
    own[`anthropic-ratelimit-${what}-remaining`] = remaining
    own[`anthropic-ratelimit-${what}-reset`] = new Date(now + parseGoDuration(reset)).toISOString()
  }
  return own
}
