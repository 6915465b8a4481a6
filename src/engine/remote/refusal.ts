import { ApiError } from '../../base/api-error.ts'
import type { Redact } from '../../base/create-redactor.ts'
import { isRecord } from '../../base/is-record.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { cleanReason } from './clean-reason.ts'
import { namesResponses } from './responses/chat-by-responses.ts'
import type { UpstreamHead } from './upstream-head.ts'
import { UpstreamStatus } from './upstream-status.ts'

type Refusal = UpstreamHead & { body: string }

/**
 * Maps an upstream error to an error for the client. Only errors about the request itself are passed on; a wrong
 * upstream key or model name concerns the operator. Bodies may repeat the prompt, so only the status is logged.
 */
export const refusal = ({ status, headers, body }: Refusal, redact: Redact): ApiError =>
  toApiError(status, readError(parse(body)), headers, redact)

/** An error in a response with the status 200, or in an event of a stream. */
export const errorInside = (value: unknown, redact: Redact): ApiError => {
  const error = readError(value)
  const status =
    [error.code, error.status].map(Number).find((code) => code >= 400 && code <= 599) ??
    statusOfType(error.type) ??
    (isQuotaExceeded(error) ? tooMany : undefined)
  if (status !== undefined) return toApiError(status, error, {}, redact)
  return ApiError.of('upstream_failed', {}, { cause: 'the upstream sent an error in its answer' })
}

/** Anthropic's errors have no number once the response has begun. */
const statusOfType = (type: unknown): number | undefined => {
  if (type === 'rate_limit_error') return 429
  return type === 'overloaded_error' ? 503 : undefined
}

const [paymentRequired, tooMany] = [402, 429]

/** OpenAI's codes, which others share, for what its customers have paid for or allowed themselves. Anthropic says it in words. */
const isQuotaExceeded = ({ code, type, message }: UpstreamError): boolean =>
  [code, type].some((name) => quotaCodes.has(name)) ||
  (type === 'invalid_request_error' && /^your credit balance is too low/i.test(message ?? ''))

const quotaCodes: ReadonlySet<unknown> = new Set([
  ...['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'billing_error'],
])

/** Anthropic's own status for a time when all of its customers send too much. */
const overloaded = 529

const toApiError = (
  status: number,
  error: UpstreamError,
  headers: UpstreamHead['headers'],
  redact: Redact,
): ApiError => {
  if (status === paymentRequired || isQuotaExceeded(error))
    return ApiError.of('upstream_failed', {}, { cause: new UpstreamStatus(status, { isQuotaExceeded: true }) })
  const isRefused = status === 400 || status === 413 || status === 422 || (status === 403 && isAboutContent(error))
  if (isRefused) return refusedRequest(error, status, redact)
  if (status === tooMany || status === 503 || status === overloaded) {
    const retryAfterMs = readRetryAfter(headers) ?? readRetryDelay(error)
    const cause = new UpstreamStatus(status, { retryAfterMs })
    const isShort = retryAfterMs !== null && retryAfterMs <= longestRetryAfterMs
    return ApiError.of('upstream_busy', {}, { retryAfterMs: isShort ? retryAfterMs : 2000, cause })
  }
  const isElsewhere = error.message !== null && namesResponses(error.message)
  return ApiError.of('upstream_failed', {}, { cause: new UpstreamStatus(status, { namesResponses: isElsewhere }) })
}

/** OpenRouter refuses what a prompt says with the status of a key that may not do something. */
const isAboutContent = ({ metadata }: UpstreamError): boolean =>
  isRecord(metadata) && [metadata.reasons, metadata.patterns].some((list) => Array.isArray(list))

/** Callers are not asked to wait longer than this, because another upstream may answer by then. */
const longestRetryAfterMs = 60_000

/** Milliseconds, as OpenAI and Azure say it too; seconds; or a date, which is compared with the upstream's own clock. */
const readRetryAfter = (headers: UpstreamHead['headers']): number | null => {
  const { 'retry-after': retryAfter, 'retry-after-ms': retryAfterMs, date } = headers
  if (Number(retryAfterMs) > 0) return Number(retryAfterMs)
  if (retryAfter === undefined) return null
  const seconds = Number(retryAfter)
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.parse(date ?? '') : seconds * 1000
  return ms > 0 ? ms : null
}

/** Google's, in seconds: `{details: [{retryDelay: "34.07s"}]}`. How long an upstream is paused at most, the circuit breaker decides. */
const readRetryDelay = ({ details }: UpstreamError): number | null => {
  const written = (Array.isArray(details) ? details : [])
    .slice(0, maxDetails)
    .map((one) => firstField([one], 'retryDelay'))
  const [seconds] = written.flatMap((text) => (typeof text === 'string' ? (retryDelay.exec(text)?.[1] ?? []) : []))
  const ms = Math.ceil(Number(seconds ?? 0) * 1000)
  return ms > 0 ? ms : null
}

const maxDetails = 20
const retryDelay = /^(\d{1,6}(?:\.\d{1,9})?)s$/

type UpstreamError = {
  message: string | null
  code?: unknown
  type?: unknown
  status?: unknown
  metadata?: unknown
  details?: unknown
}

const refusedRequest = ({ message, code, type }: UpstreamError, status: number, redact: Redact): ApiError => {
  const reason = (message === null ? null : cleanReason(message, redact)) ?? `status ${status}`
  // llama-server uses a type of its own for a prompt that is too long, and most others only say so.
  const tooLong = code === 'context_length_exceeded' || type === 'exceed_context_size_error' || saysTooLong.test(reason)
  return tooLong
    ? ApiError.of('upstream_context_exceeded', { reason }, { param: 'messages' })
    : ApiError.of('upstream_refused', { reason })
}

/** As vLLM, Mistral, xAI, Anthropic, SGLang, Together, LM Studio and Google say it. */
const saysTooLong = new RegExp(
  [
    'maximum (?:context|prompt) length|prompt is too long|exceed context limit',
    "(?:longer|greater) than the (?:model's )?context length",
    'exceeds the maximum (?:allowed (?:input )?length|number of tokens allowed)',
  ].join('|'),
)

/**
 * `{error: {message}}`, `{error: "…"}`, `{message}`, `{detail: "…"}`, `{detail: [{msg}]}`, `{errors: [{message}]}`, and a
 * list of any of these.
 */
const readError = (value: unknown): UpstreamError => {
  const body = Array.isArray(value) ? value[0] : value
  if (!isRecord(body)) return { message: null }
  const { error, errors, detail } = body
  if (typeof error === 'string') return { ...body, message: error }
  if (isRecord(error)) return withMessage(error, error.message)
  if (Array.isArray(errors)) return withMessage(body, firstField(errors, 'message'))
  if (Array.isArray(detail)) return withMessage(body, firstField(detail, 'msg'))
  return withMessage(body, body.message ?? detail)
}

const withMessage = (fields: Record<string, unknown>, message: unknown): UpstreamError => ({
  ...fields,
  message: typeof message === 'string' && message !== '' ? message : null,
})

const firstField = ([first]: readonly unknown[], name: string): unknown => (isRecord(first) ? first[name] : first)

const parse = (body: string): unknown => {
  try {
    return parseJsonText(body)
  } catch {
    return null
  }
}
