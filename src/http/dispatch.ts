import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { errorText, type Log } from '../base/log.ts'
import { ClientGone, type Exchange } from './exchange.ts'
import type { LocateRequest } from './forwarded.ts'
import { sendError, toApiError } from './respond.ts'
import { type Caller, createRouter, type Match, type Route } from './route.ts'

/**
 * What every request goes through, whatever its route: an id, the right to call, the translation of failures, one log
 * event. Nothing of the product is decided here.
 */
export type DispatchOptions = {
  routes: readonly Route[]
  /** Throws an `ApiError` unless the request carries a valid key. */
  authenticate(request: IncomingMessage): Promise<Caller>
  locate: LocateRequest
  clock: Clock
  log: Log
}

type Arrival = { viaSocket: boolean; expectsContinue: boolean }
export interface Dispatch {
  handle(request: IncomingMessage, response: ServerResponse, arrival: Arrival): void
  /** From now on every new request is answered with `shutting_down`. */
  refuseNew(): void
  /** Running requests end now, with this error. */
  abortAll(error: ApiError): void
}

export const createDispatch = (options: DispatchOptions): Dispatch => {
  const match = createRouter(options.routes)
  const running = new Set<AbortController>()
  let stopping = false
  return {
    handle(request, response, arrival) {
      const [path = '/'] = (request.url ?? '/').split('?')
      const found = match(request.method ?? 'GET', path)
      const controller = new AbortController()
      running.add(controller)
      const exchange = openExchange(request, response, arrival, found, controller.signal, options)
      response.setHeader('x-request-id', exchange.requestId)
      // The response's 'close', not the request's: that one does not fire once the body was read.
      response.on('close', () => {
        running.delete(controller)
        if (!response.writableFinished) controller.abort(new ClientGone())
        writeLog(exchange, path, found, options)
      })
      if (stopping) refuse(exchange)
      else void answer(exchange, path, found, arrival, options)
    },
    refuseNew() {
      stopping = true
    },
    abortAll(error) {
      for (const controller of running) controller.abort(error)
    },
  }
}

const refuse = (exchange: Exchange): void => {
  exchange.response.setHeader('connection', 'close')
  sendError(exchange, ApiError.of('shutting_down', {}, { retryAfterMs: 1000 }))
}

const openExchange = (
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival,
  found: Match,
  signal: AbortSignal,
  { clock, locate }: DispatchOptions,
): Exchange => ({
  requestId: newId('req'),
  request,
  response,
  params: found.outcome === 'found' ? found.params : {},
  startedMs: clock.monotonicMs(),
  signal,
  origin: locate(request.socket.remoteAddress, request.headers, 'encrypted' in request.socket),
  expectsContinue: arrival.expectsContinue,
  facts: {},
  failMidway: null,
})

const answer = async (
  exchange: Exchange,
  path: string,
  found: Match,
  { viaSocket }: Arrival,
  options: DispatchOptions,
): Promise<void> => {
  try {
    const route = resolveRoute(exchange.request, path, found, viaSocket)
    if (route.access === 'key') {
      const caller = await options.authenticate(exchange.request)
      Object.assign(exchange.facts, caller)
      await route.handle(exchange, caller)
    } else {
      await route.handle(exchange)
    }
  } catch (error) {
    answerFailure(exchange, error, options.log)
  }
}

const resolveRoute = (request: IncomingMessage, path: string, found: Match, viaSocket: boolean): Route => {
  const method = request.method ?? 'GET'
  if (found.outcome === 'wrong_method') {
    const allowed = found.allowed.join(', ')
    throw ApiError.of('method_not_supported', { method, path, allowed }, { headers: { allow: allowed } })
  }
  // From the network a socket route does not exist.
  if (found.outcome === 'unknown' || (found.route.access === 'socket' && !viaSocket))
    throw ApiError.of('unknown_url', { method, path: path.slice(0, 200) })
  return found.route
}

const answerFailure = (exchange: Exchange, error: unknown, log: Log): void => {
  const { response, requestId, facts } = exchange
  if (error instanceof ClientGone || response.destroyed) return
  const apiError = toApiError(error, requestId)
  facts.error = apiError.errorName
  if (apiError.options.cause !== undefined)
    log.error('request_failed', { requestId, error: apiError.errorName, cause: errorText(apiError.options.cause) })
  if (!response.headersSent) sendError(exchange, apiError)
  else if (exchange.failMidway !== null) exchange.failMidway(apiError)
  // Half an answer of another kind cannot be taken back: the client sees by the broken connection that it is not whole.
  else response.destroy()
}

/** 499 is what proxies write for a client that went away; it is never sent. */
const writeLog = (exchange: Exchange, path: string, found: Match, { clock, log }: DispatchOptions): void => {
  const { request, response, requestId, origin, facts, startedMs } = exchange
  const gone = !response.writableFinished
  const status = gone && !facts.error ? 499 : response.statusCode
  const level = status >= 500 ? 'error' : 'info'
  log[level]('request', {
    requestId,
    method: request.method ?? '',
    path: found.outcome === 'found' ? found.route.path : path.slice(0, 200),
    status,
    durationMs: Math.round(clock.monotonicMs() - startedMs),
    clientAddress: origin.clientAddress,
    ...facts,
    ...(gone ? { clientClosed: true } : {}),
  })
}
