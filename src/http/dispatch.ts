import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { createLiveList } from '../base/live-list.ts'
import { errorText, type Log } from '../base/log.ts'
import type { Traces } from '../traces/traces.ts'
import { versionHeader } from './answer-headers.ts'
import { answerBareSocket } from './bare-socket.ts'
import type { BodyBudget } from './body-budget.ts'
import { isFaultyHead } from './check-http-syntax.ts'
import type { CorsHeaders } from './cors.ts'
import { type Arrival, createExchange } from './create-exchange.ts'
import { ClientGone, type Exchange } from './exchange.ts'
import type { LocateRequest } from './forwarded.ts'
import { logExchange } from './log-exchange.ts'
import { probeClient } from './probe-client.ts'
import { sendError, sendMethods, toApiError } from './respond.ts'
import { createRouter, type HttpRoute, type Match } from './route.ts'
import { traceExchange } from './trace-exchange.ts'

/**
 * What every request goes through, whatever its route: an id, the translation of failures and one log event. It makes no
 * decisions about the product: who may call a route is checked by `src/operations/guard-routes.ts`.
 */
export type DispatchOptions = {
  routes: readonly HttpRoute[]
  locate: LocateRequest
  cors: CorsHeaders
  bodies: BodyBudget
  /** May respond to an unknown path; false leaves it to a JSON error. */
  showUnknown(exchange: Exchange, path: string): boolean
  clock: Clock
  log: Log
  /** Absent or null: requests are not traced. */
  traces?: Traces | null
  /** Only in a worker. */
  passOn?: PassedOn
}

/** The requests that another thread answers. It decides everything about them, except whether they are valid HTTP. */
type PassedOn = { isFor(request: IncomingMessage): boolean; answer(exchange: Exchange): Promise<void> }

type Running = { exchange: Exchange; controller: AbortController }

export interface Dispatch {
  handle(request: IncomingMessage, response: ServerResponse, arrival: Arrival): void
  /** The input on a connection is not a request, or only the beginning of one. */
  handleBroken(error: ApiError, socket: Socket): void
  /** The client of this connection sends nothing more. It may still wait for its response, or have disconnected. */
  handleHalfClosed(socket: Socket): void
  /** From now on every response closes its connection. */
  closeConnections(): void
  /** From now on every new request gets `shutting_down`. */
  refuseNew(): void
  /** Ends running requests with this error. */
  abortAll(error: ApiError): void
  /** Ends the running requests that `concerns` returns true for. */
  abortSome(concerns: (exchange: Exchange) => boolean, error: ApiError): void
  /** Those of the running requests whose caller is known. */
  callers(): NonNullable<Exchange['caller']>[]
  /** Resolves when no request is running. Call it once: requests that begin later are not awaited. */
  idle(): Promise<void>
}

export const createDispatch = (options: DispatchOptions): Dispatch => {
  const matchLocal = createRouter(options.routes)
  // From the network a local route does not exist, whatever the method.
  const matchNetwork = createRouter(options.routes.filter(({ isLocal }) => isLocal !== true))
  const running = createLiveList<Running>()
  /** Anything else on these connections may be part of a body that is made to look like a request. */
  const distrusted = new WeakSet<Socket>()
  const idle = Promise.withResolvers<void>()
  let closesConnections = false
  let refusesNew = false
  let isIdleAwaited = false
  const settleIdle = (): void => {
    if (isIdleAwaited && running.size === 0) idle.resolve()
  }
  return {
    handle(request, response, arrival) {
      if (distrusted.has(request.socket)) return
      // The connection was reset before the request was read: nobody receives a response, and without an address the
      // client would appear to be local.
      const isUnknown = arrival.peer === undefined && request.socket.remoteAddress === undefined
      if (!arrival.viaSocket && isUnknown) return void request.socket.destroy()
      // What a thread passes on, it has checked.
      const isFaulty = arrival.peer === undefined && isFaultyHead(request)
      if (isFaulty) distrusted.add(request.socket)
      const path = readPath(request.url ?? '/')
      const found = (arrival.viaSocket ? matchLocal : matchNetwork)(request.method ?? 'GET', path)
      const controller = new AbortController()
      const exchange = createExchange(request, response, arrival, found, controller.signal, options)
      const leave = running.add({ exchange, controller })
      setFirstHeaders(exchange, path, found, arrival, options)
      if (closesConnections) response.setHeader('connection', 'close')
      // The response's 'close', not the request's, which does not fire once the body was read.
      response.on('close', () => {
        leave()
        exchange.releaseBody()
        if (!response.writableFinished) controller.abort(new ClientGone())
        if (!exchange.isPassedOn && (isFaulty || !isUnlogged(exchange, found)))
          logExchange(exchange, path, found, options)
        if (!exchange.isPassedOn && exchange.trace !== null) traceExchange(exchange, exchange.trace, path, found)
        settleIdle()
      })
      if (refusesNew) answerFailure(exchange, ApiError.of('shutting_down', {}, { retryAfterMs: 1000 }), options.log)
      else if (isFaulty) answerFailure(exchange, ApiError.of('malformed_http', {}), options.log)
      else if (options.passOn?.isFor(request)) void passOn(exchange, arrival, options.passOn, options.log)
      else if (isMisdirected(exchange.origin, path, found))
        answerFailure(exchange, misdirected(exchange.origin), options.log)
      else void answer(exchange, path, found, arrival, options)
    },
    handleBroken(error, socket) {
      const entry = running.items().findLast(({ exchange }) => exchange.request.socket === socket)
      if (entry === undefined) answerBareSocket(socket, error, options)
      else if (entry.exchange.request.complete || entry.exchange.response.headersSent) socket.destroy()
      else entry.controller.abort(error)
    },
    handleHalfClosed(socket) {
      const entry = running.items().find(({ exchange }) => exchange.response.socket === socket)
      if (entry !== undefined) probeClient(entry.exchange)
    },
    closeConnections() {
      closesConnections = true
    },
    refuseNew() {
      refusesNew = true
    },
    abortAll(error) {
      for (const { controller } of running.items()) controller.abort(error)
    },
    abortSome(concerns, error) {
      for (const { exchange, controller } of running.items())
        if (concerns(exchange) && !exchange.response.writableEnded) controller.abort(error)
    },
    callers: () => running.items().flatMap(({ exchange }) => exchange.caller ?? []),
    idle() {
      isIdleAwaited = true
      settleIdle()
      return idle.promise
    },
  }
}

/** Probes arrive every few seconds and are not worth a log event. */
const isProbe = (found: Match): boolean => found.outcome === 'found' && found.route.isProbe === true

const isApi = (path: string): boolean => path.startsWith('/v1/') || path === '/v1'

const isUnlogged = (exchange: Exchange, found: Match): boolean => isProbe(found) || exchange.isHeld === true

/** The headers of every response. Only the API may be called from other web pages. */
const setFirstHeaders = (
  { requestId, request, response, style }: Exchange,
  path: string,
  found: Match,
  { viaSocket }: Arrival,
  { cors }: DispatchOptions,
): void => {
  const allowed = found.outcome === 'options' ? found.allowed : null
  // One by one: joining them first costs every request an object whose keys vary.
  const set = (headers: Readonly<Record<string, string>>): void => {
    for (const name in headers) response.setHeader(name, headers[name] ?? '')
  }
  response.setHeader('x-request-id', requestId)
  set(versionHeader)
  set(style.headers(requestId))
  if (!viaSocket && isApi(path)) set(cors(request.headers, allowed))
}

/** Without the query, and without the scheme and host that a client may include (RFC 9112 §3.2.2). */
const readPath = (target: string): string => {
  if (target.startsWith('/') && !target.includes('?')) return target
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  return path === '' ? '/' : path
}

const answer = async (
  exchange: Exchange,
  path: string,
  found: Match,
  arrival: Arrival,
  options: DispatchOptions,
): Promise<void> => {
  try {
    if (arrival.expects === 'unknown') throw unknownExpectation(exchange.request)
    if (found.outcome === 'options') return sendMethods(exchange, found.allowed)
    if (found.outcome === 'unknown' && !arrival.viaSocket && options.showUnknown(exchange, path)) return
    const route = resolveRoute(exchange.request, path, found)
    await route.handle(exchange)
  } catch (error) {
    answerFailure(exchange, error, options.log, found.outcome === 'found' ? found.route : undefined)
  }
}

const passOn = async (exchange: Exchange, arrival: Arrival, passedOn: PassedOn, log: Log): Promise<void> => {
  try {
    if (arrival.expects === 'unknown') throw unknownExpectation(exchange.request)
    await passedOn.answer(exchange)
  } catch (error) {
    answerFailure(exchange, error, log)
  }
}

const isMisdirected = ({ otherHost, otherSiteHost }: Exchange['origin'], path: string, found: Match): boolean => {
  if (isProbe(found)) return false
  return otherHost !== undefined || (otherSiteHost !== undefined && isSite(path, found))
}

/** What browsers show and call without a key. A page of another site has no key. */
const isSite = (path: string, found: Match): boolean =>
  !isApi(path) && !(found.outcome === 'found' && found.route.isKeyed === true)

const misdirected = ({ origin, otherHost, otherSiteHost = '' }: Exchange['origin']): ApiError =>
  otherHost === undefined
    ? ApiError.of('unnamed_host', { host: otherSiteHost })
    : ApiError.of('misdirected_request', { host: otherHost, publicUrl: origin })

const unknownExpectation = ({ headers }: IncomingMessage): ApiError =>
  ApiError.of('expectation_failed', { expectation: String(headers.expect).slice(0, 100) })

const resolveRoute = (
  request: IncomingMessage,
  fullPath: string,
  found: Exclude<Match, { outcome: 'options' }>,
): HttpRoute => {
  if (found.outcome === 'found') return found.route
  const method = request.method ?? 'GET'
  const path = fullPath.slice(0, 200)
  if (found.outcome === 'unknown') throw ApiError.of('unknown_url', { method, path })
  const allowed = found.allowed.join(', ')
  throw ApiError.of('method_not_supported', { method, path, allowed }, { headers: { allow: allowed } })
}

const answerFailure = (exchange: Exchange, error: unknown, log: Log, route?: HttpRoute): void => {
  const { response, requestId } = exchange
  if (error instanceof ClientGone || response.destroyed) return
  const apiError = toApiError(error, requestId)
  exchange.errorName = apiError.errorName
  if (apiError.options.cause !== undefined)
    log.error('request_failed', { requestId, error: apiError.errorName, cause: errorText(apiError.options.cause) })
  if (!response.headersSent || exchange.failMidway !== null) route?.onError?.(exchange, apiError)
  if (!response.headersSent) sendError(exchange, apiError)
  else if (exchange.failMidway !== null) exchange.failMidway(apiError)
  // Any other response cannot be replaced once it has begun: the broken connection tells the client that it is incomplete.
  else response.destroy()
}
