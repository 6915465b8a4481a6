import type { RequestTrace } from '../traces/request-trace.ts'
import type { Attributes } from '../traces/span.ts'
import type { Exchange } from './exchange.ts'
import { endOf } from './log-exchange.ts'
import type { Match } from './route.ts'

/** The API, and the same from the playground: pages and probes would be most of all traces, and say nothing about answers. */
export const isTraced = (found: Match): boolean =>
  found.outcome === 'found' && /^\/(?:v1|platform\/playground)\//.test(found.route.path)

const maxAgentLength = 200

/** The response has ended: says so in the trace, by the conventions for HTTP servers. */
export const traceExchange = (exchange: Exchange, trace: RequestTrace, path: string, found: Match): void => {
  const { request, errorName, startedMs, elapsedMs } = exchange
  const { status } = endOf(exchange)
  const route = found.outcome === 'found' ? found.route.path : undefined
  // A caller's mistake is no error of the server. A stream has its status before it fails.
  const isError = status >= 500 || (errorName !== null && status < 400)
  trace.ends({
    name: `${request.method ?? ''} ${route ?? ''}`.trim(),
    endMs: startedMs + elapsedMs(),
    isError,
    error: errorName ?? (status >= 500 ? String(status) : null),
    describe: () => ({
      'http.request.method': request.method ?? '',
      'http.route': route,
      'http.response.status_code': status,
      'url.path': path,
      ...addresses(exchange),
      'helix.request.id': exchange.requestId,
      'helix.organisation.id': exchange.caller?.organisationId,
      'helix.key.id': exchange.caller?.keyId,
    }),
  })
}

const addresses = ({ request, origin }: Exchange): Attributes => {
  const url = URL.parse(origin.origin)
  const agent = request.headers['user-agent']
  return {
    'url.scheme': origin.secure ? 'https' : 'http',
    'server.address': url?.hostname,
    'server.port': url === null ? undefined : Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    'client.address': origin.clientAddress,
    'network.protocol.version': request.httpVersion,
    'user_agent.original': agent?.slice(0, maxAgentLength),
  }
}
