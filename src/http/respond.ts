import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { ApiError } from '../base/api-error.ts'
import type { ErrorName } from '../base/error-catalogue.ts'
import { OperatorError } from '../base/operator-error.ts'
import { writeHead } from './answer-headers.ts'
import { compress } from './compress.ts'
import { contentEncoding } from './content-encoding.ts'
import type { Exchange } from './exchange.ts'
import { readChunks } from './read-chunks.ts'

export const sendJson = (exchange: Exchange, status: number, body: unknown): void =>
  sendJsonText(exchange, status, JSON.stringify(body))

export const sendJsonText = (exchange: Exchange, status: number, text: string): void => {
  const encoding = exchange.mayCompress ? contentEncoding(exchange.request) : 'identity'
  if (exchange.mayCompress) exchange.response.setHeader('vary', 'Accept-Encoding')
  if (encoding === 'identity' || text.length < leastCompressedLength) endJson(exchange, status, text, {})
  else void sendCompressed(exchange, status, text, encoding)
}

/** Below this, compression saves less than its headers take. */
const leastCompressedLength = 1024

const sendCompressed = async (
  exchange: Exchange,
  status: number,
  text: string,
  encoding: 'br' | 'gzip',
): Promise<void> => {
  const packed = await compress(Buffer.from(text), encoding).catch(() => null)
  // The client may have disconnected meanwhile, or the server may have ended the request with an error.
  if (exchange.response.destroyed || exchange.response.headersSent) return
  if (packed === null) endJson(exchange, status, text, {})
  else endJson(exchange, status, packed, { 'content-encoding': encoding })
}

/** Node writes a text together with the headers, and bytes after them. */
const endJson = (exchange: Exchange, status: number, body: string | Buffer, headers: OutgoingHttpHeaders): void => {
  const length = Buffer.byteLength(body)
  writeHead(exchange, status, { 'content-type': 'application/json', 'content-length': length, ...headers })
  // A text with as many bytes as characters is ASCII, which Node writes without converting it.
  if (typeof body === 'string' && body.length === length) exchange.response.end(body, 'latin1')
  else exchange.response.end(body)
}

export const sendText = (exchange: Exchange, status: number, text: string, type: string): void => {
  writeHead(exchange, status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  exchange.response.end(text)
}

/** Success without a body. */
export const sendNothing = (exchange: Exchange): void => {
  writeHead(exchange, 204, {})
  exchange.response.end()
}

/** The response to OPTIONS: the supported methods. A browser's preflight finds the rest in the CORS headers. */
export const sendMethods = (exchange: Exchange, allowed: readonly string[]): void => {
  writeHead(exchange, 204, { allow: allowed.join(', ') })
  exchange.response.end()
}

/** The only translation of failures to errors. Anything unexpected becomes a 500 that reveals nothing of its cause. */
export const toApiError = (error: unknown, requestId: string): ApiError => {
  if (error instanceof ApiError) return error
  const known = error instanceof OperatorError ? error.toApiError() : null
  return known ?? ApiError.of('internal_error', { requestId }, { cause: error })
}

const errorHeaders = ({ options }: ApiError): Record<string, string> => ({
  ...options.headers,
  ...(options.retryAfterMs === undefined ? {} : retryAfter(options.retryAfterMs)),
  ...(options.shouldRetry === undefined ? {} : { 'x-should-retry': String(options.shouldRetry) }),
})

/** `retry-after` is in whole seconds, at least one; the official clients read `retry-after-ms` first. */
const retryAfter = (ms: number): Record<string, string> => ({
  'retry-after': String(Math.max(1, Math.ceil(ms / 1000))),
  'retry-after-ms': String(Math.ceil(ms)),
})

/** After these the rest of the request is not read, so the connection cannot carry another one. */
const closing: ReadonlySet<ErrorName> = new Set([
  'request_too_large',
  'body_memory_full',
  'body_memory_share',
  'expectation_failed',
  'shutting_down',
])
/** After these nothing more can be read. */
const broken: ReadonlySet<ErrorName> = new Set(['request_timeout', 'malformed_http'])

export const sendError = (exchange: Exchange, error: ApiError): void => {
  const { request, response } = exchange
  const isBroken = broken.has(error.errorName)
  const isUnwanted = closing.has(error.errorName) || exchange.expectsContinue || !isShort(request)
  const unread = !isBroken && !request.complete && isUnwanted
  for (const [name, value] of Object.entries(errorHeaders(error))) response.setHeader(name, value)
  if (isBroken || unread) response.setHeader('connection', 'close')
  if (unread) sendAndLinger(exchange, error)
  else sendJson(exchange, error.status, errorJson(exchange, error))
}

const errorJson = ({ style, requestId }: Exchange, error: ApiError): unknown => style.errorBody(error, requestId)

/** Reading the rest of a body up to this costs less than a new connection. */
const shortBodyBytes = 65_536

/** A body whose declared length is small. One of unknown length may be endless. */
const isShort = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= shortBodyBytes

/** How much of an unwanted body is read and discarded, so that the client receives the response instead of a reset. */
const lingerBytes = 16 * 1024 * 1024

/** Writes the complete response. */
const sendAndLinger = (exchange: Exchange, error: ApiError): void => {
  const bytes = Buffer.from(JSON.stringify(errorJson(exchange, error)))
  writeHead(exchange, error.status, { 'content-type': 'application/json', 'content-length': bytes.length })
  exchange.response.write(bytes)
  endAfterBody(exchange)
}

/**
 * Keeps the connection open until the client has stopped sending: closing a socket that still receives resets it, and many clients
 * then never see the response, which was written. The timeout of the request ends the wait.
 */
export const endAfterBody = (exchange: Exchange): void => {
  const { request, response } = exchange
  let discarded = 0
  readChunks(exchange, ({ length }) => {
    discarded += length
    if (discarded > lingerBytes) response.end()
  })
  request.on('end', () => response.end())
  request.resume()
}
