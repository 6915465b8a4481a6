import type { Log } from '../base/log.ts'
import type { Exchange } from './exchange.ts'
import type { Match, Route } from './route.ts'

type LogRooms = { routes: readonly Route[]; log: Log }

/** The one event of a request. 499 is what proxies write for a client that went away; it is never sent. */
export const logExchange = (exchange: Exchange, path: string, found: Match, { routes, log }: LogRooms): void => {
  const { request, response, requestId, origin, facts } = exchange
  const gone = !response.writableFinished
  const status = gone && !facts.error ? 499 : response.statusCode
  const level = status >= 500 ? 'error' : 'info'
  log[level]('request', {
    status,
    method: request.method ?? '',
    path: found.outcome === 'found' ? found.route.path : shownPath(path, routes),
    durationMs: Math.round(exchange.elapsedMs()),
    ...facts,
    ...(gone ? { clientClosed: true } : {}),
    requestId,
    clientAddress: origin.clientAddress,
  })
}

/** A path that leads nowhere may hold anything. The words of our own routes are enough to see what somebody meant. */
const shownPath = (path: string, routes: readonly Route[]): string => {
  const words = new Set(routes.flatMap((route) => route.path.split('/')))
  const segments = path.slice(0, 200).split('/')
  return segments.map((segment) => (words.has(segment) ? segment : '…')).join('/')
}
