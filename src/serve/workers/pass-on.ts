import { Agent, type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { ApiError } from '../../base/api-error.ts'
import { errorText, type Log } from '../../base/log.ts'
import type { Exchange } from '../../http/exchange.ts'
import { headersToPass, peerHeaders } from '../../http/passed-on.ts'
import { endAfterBody } from '../../http/respond.ts'
import { ownTurn } from '../../http/turn.ts'

/**
 * Has the authority answer a request, with this body if it was read already. Resolves when the exchange is over; rejects if the
 * authority could not answer, or the body did not arrive as it should.
 */
export type PassOn = (exchange: Exchange, body?: Uint8Array) => Promise<void>

type PassOnOptions = { socketPath: string; log: Log }

/** Requests go to the authority as HTTP over a Unix socket, and their responses come back as they are. */
export const createPassOn = ({ socketPath, log }: PassOnOptions): PassOn => {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  return async (exchange, body) => {
    exchange.signal.throwIfAborted()
    await ownTurn(exchange)
    const { request } = exchange
    const { method, url: path } = request
    const headers = body === undefined ? headersOf(exchange) : headersWith(body, request)
    const asked = openRequest({ socketPath, agent, method, path, headers, setDefaultHeaders: false })
    exchange.isPassedOn = true
    try {
      sendBody(exchange, asked, body)
      await relay(exchange, asked)
    } catch (error) {
      asked.destroy()
      exchange.isPassedOn = false
      if (error instanceof ApiError) throw error
      log.error('pass_on_failed', { cause: errorText(error) })
      // The authority is always there, except when it is about to end.
      throw ApiError.of('shutting_down', {}, { retryAfterMs: 1000 })
    }
  }
}

const headersWith = (body: Uint8Array, request: IncomingMessage): string[] => [
  ...headersToPass(request.rawHeaders, (name) => name === 'content-length'),
  ...peerHeaders(request),
  ...['content-length', String(body.length)],
]

const headersOf = ({ request, expectsContinue }: Exchange): string[] => [
  ...headersToPass(request.rawHeaders),
  ...peerHeaders(request),
  // Without it, Node would send no body of unknown length.
  ...(request.headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked']),
  ...(expectsContinue ? ['expect', '100-continue'] : []),
]

const sendBody = (exchange: Exchange, asked: ClientRequest, body: Uint8Array | undefined): void => {
  const { request, response } = exchange
  if (body !== undefined) return void asked.end(body)
  // It may be refused before any of it has arrived.
  asked.flushHeaders()
  // Never to a client of HTTP/1.0, which cannot expect it.
  if (exchange.expectsContinue)
    asked.on('continue', () => {
      exchange.expectsContinue = false
      if (!response.headersSent) response.writeContinue()
    })
  request.pipe(asked)
  // Otherwise the authority would wait for the rest.
  request.on('close', () => {
    if (!request.complete) asked.destroy()
  })
}

/** Rejects if nothing was sent to the client: it can still be told. */
const relay = (exchange: Exchange, asked: ClientRequest): Promise<void> =>
  new Promise((resolve, reject) => {
    const { request, response, signal } = exchange
    /** It was answered as a whole, or has failed. */
    let isOver = false
    const fail = (error: unknown): void => {
      if (isOver) return
      isOver = true
      if (response.headersSent || response.destroyed) response.destroy()
      else reject(error)
    }
    response.once('close', () => {
      if (!response.writableFinished) asked.destroy()
      resolve()
    })
    // Its body is not valid, or took too long. Of whatever else ends a request, the authority knows.
    signal.addEventListener('abort', () => {
      if (signal.reason instanceof ApiError && !request.complete) fail(signal.reason)
    })
    asked.on('error', fail)
    asked.on('response', (answer) => {
      const isLast = answer.headers.connection === 'close'
      sendHead(response, answer, isLast)
      // Only the authority knows what clients of this response skip: it finds out once its own connection is half closed.
      exchange.ping = () => void asked.socket?.end()
      answer.on('error', fail)
      answer.pipe(response, { end: false })
      answer.on('end', () => {
        isOver = true
        if (!isLast || request.complete) return void response.end()
        // The rest of the body is not wanted, and Node closes its own connection to the authority.
        request.unpipe(asked)
        endAfterBody(exchange)
      })
    })
  })

const sendHead = (response: ServerResponse, answer: IncomingMessage, isLast: boolean): void => {
  // The server has begun to stop when the request arrived.
  const closes = isLast || response.getHeader('connection') === 'close'
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  const passed = headersToPass(answer.rawHeaders)
  if (closes) passed.push('connection', 'close')
  response.writeHead(answer.statusCode ?? 500, answer.statusMessage, passed)
  response.flushHeaders()
}
