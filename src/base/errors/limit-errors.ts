import type { ErrorRow } from './error-row.ts'

/** Errors about rate limits, budgets, retries and the ledger. */
export const limitErrors = {
  rate_limit_requests: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for {model} {place} on requests per min (RPM): Limit {limit}, Used {used}, Requested 1. Please try again in {wait}.',
  },
  rate_limit_requests_of_period: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for {model} {place} on {period}: Limit {limit}, Used {used}, Requested 1. Please try again in {wait}.',
  },
  rate_limit_tokens: {
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for {model} {place} on {period}: Limit {limit}, Used {used}, Requested {requested}. Please try again in {wait}.',
  },
  rate_limit_in_flight: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for {model} {place} on requests in flight: Limit {limit}, Used {used}, Requested 1. Please try again when one of them has finished.',
  },
  too_many_refused: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Too many requests from {whose} were rejected in the last minute: Limit {limit}. Check the errors returned for those requests. Please try again in {wait}.',
  },
  request_above_rate_limit: {
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message:
      'Request too large for {model} {place} on {period}: Limit {limit}, Requested {requested} ({promptTokens} in the messages, up to {completionTokens} in the answer). Lower max_completion_tokens, n or the length of the messages.',
  },
  insufficient_quota: {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message:
      'You exceeded your current quota. This request exceeds the {measure}-per-{period} budget of {scope}: Limit {limit}, Used {used}, Requested {requested}. It resets at {reset}.',
  },
  invalid_idempotency_key: {
    status: 400,
    code: 'invalid_idempotency_key',
    message: 'The Idempotency-Key header must be sent only once and contain 1 to 255 printable ASCII characters.',
  },
  idempotency_key_reuse: {
    status: 409,
    code: 'idempotency_key_reuse',
    message: 'This Idempotency-Key has already been used with a different request body. Use a new key.',
  },
  stream_not_resumable: {
    status: 409,
    code: 'stream_not_resumable',
    message:
      'No stream can be resumed from this Last-Event-ID. Send the request again without the header to receive the response from the beginning.',
  },
  answer_not_kept: {
    status: 409,
    code: 'answer_not_kept',
    message:
      'The request with this Idempotency-Key was completed, but its response was too long to store and cannot be replayed. To generate a new response, which is billed separately, use a new key.',
  },
  replay_buffer_full: {
    status: 503,
    code: 'replay_buffer_full',
    message:
      'Storage for requests with an Idempotency-Key is full. Try again later, or send the request without the header.',
  },
  storage_full: {
    status: 503,
    code: 'storage_full',
    message:
      'There is not enough disk space to store the answer. Try again later, or set `store` to false to get it without storing it.',
  },
  ledger_unavailable: {
    status: 503,
    code: 'ledger_unavailable',
    message: 'Usage cannot be recorded right now, so new requests are not accepted. Try again shortly.',
  },
  limits_unavailable: {
    status: 503,
    code: 'limits_unavailable',
    message:
      'Rate limits and budgets cannot be checked right now, so requests that have them are not accepted. Try again shortly.',
  },
  secrets_not_rotated: {
    status: 409,
    code: 'secrets_not_rotated',
    message: 'The secrets were not all encrypted with the new key. {reason}',
  },
  backup_failed: { status: 500, code: 'backup_failed', message: 'The backup failed. {reason}' },
  organisation_not_found: { status: 404, code: 'not_found', message: "No organisation found with ID '{id}'." },
} as const satisfies Record<string, ErrorRow>
