import type { Log } from '../base/log.ts'
import type { Exchange } from './exchange.ts'
import type { HttpRoute, Match } from './route.ts'

type LogExchangeDependencies = { routes: readonly HttpRoute[]; log: Log }

/** 499 is what proxies write for a client that closed the connection; it is never sent. */
export const endOf = ({ response, errorName }: Exchange): { status: number; isClosed: boolean } => {
  const isClosed = !response.writableFinished
  return { status: isClosed && errorName === null ? 499 : response.statusCode, isClosed }
}

/** The one event of a request. */
export const logExchange = (
  exchange: Exchange,
  path: string,
  found: Match,
  { routes, log }: LogExchangeDependencies,
): void => {
  const { request, requestId, origin, caller, progress, errorName, logFields } = exchange
  const { status, isClosed } = endOf(exchange)
  const level = status >= 500 ? 'error' : 'info'
  log[level]('request', {
    status,
    method: request.method ?? '',
    path: found.outcome === 'found' ? found.route.path : shownPath(path, routes),
    durationMs: Math.round(exchange.elapsedMs()),
    keyId: caller?.keyId,
    accountId: caller?.accountId,
    organisationId: caller?.organisationId,
    ...progress,
    ...logFields,
    ...(errorName === null ? {} : { error: errorName }),
    ...(isClosed ? { clientClosed: true } : {}),
    requestId,
    traceId: exchange.trace?.traceId,
    clientAddress: origin.clientAddress,
  })
}

/** An unknown path may contain anything. The segments of our own routes are enough to see what was meant. */
const shownPath = (path: string, routes: readonly HttpRoute[]): string => {
  const words = new Set(routes.flatMap((route) => route.path.split('/')))
  const segments = path.slice(0, 200).split('/')
  return segments.map((segment) => (words.has(segment) ? segment : '…')).join('/')
}
