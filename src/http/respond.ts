import { ApiError, type ErrorName } from '../base/errors.ts'
import type { Exchange } from './exchange.ts'

export const sendJson = (exchange: Exchange, status: number, body: unknown): void => {
  const { response } = exchange
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}

/** The one translator of failures to the wire. What was not designed becomes a 500 that says nothing of its cause. */
export const toApiError = (error: unknown, requestId: string): ApiError =>
  error instanceof ApiError ? error : ApiError.of('internal_error', { requestId }, { cause: error })

export const errorBody = (error: ApiError): { error: Record<string, string | null> } => ({
  error: { message: error.message, type: error.type, param: error.options.param ?? null, code: error.code },
})

const errorHeaders = ({ options }: ApiError): Record<string, string> => ({
  ...options.headers,
  ...(options.retryAfterMs === undefined ? {} : retryAfter(options.retryAfterMs)),
  ...(options.shouldRetry === undefined ? {} : { 'x-should-retry': String(options.shouldRetry) }),
})

/** `retry-after` has whole seconds, at least one; `retry-after-ms` is what the official clients read first. */
const retryAfter = (ms: number): Record<string, string> => ({
  'retry-after': String(Math.max(1, Math.ceil(ms / 1000))),
  'retry-after-ms': String(Math.ceil(ms)),
})

/** After these the rest of the request is not read, so the connection cannot carry another one. */
const closing: ReadonlySet<ErrorName> = new Set(['request_too_large', 'request_timeout', 'expectation_failed'])

export const sendError = (exchange: Exchange, error: ApiError): void => {
  const { request, response } = exchange
  for (const [name, value] of Object.entries(errorHeaders(error))) response.setHeader(name, value)
  if (!closing.has(error.errorName) || request.complete) {
    sendJson(exchange, error.status, errorBody(error))
    return
  }
  response.setHeader('connection', 'close')
  sendAndLinger(exchange, error)
}

/** How much of an unwanted body is read and thrown away, so that the client sees the answer and not a reset. */
const lingerBytes = 16 * 1024 * 1024

/**
 * Writes the whole answer but leaves the connection open until the client has stopped sending: closing a socket that still
 * receives resets it, and many clients then never see the answer.
 */
const sendAndLinger = ({ request, response }: Exchange, error: ApiError): void => {
  const bytes = Buffer.from(JSON.stringify(errorBody(error)))
  response.writeHead(error.status, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.write(bytes)
  let discarded = 0
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > lingerBytes) response.end()
  })
  request.on('end', () => response.end())
  request.resume()
}
