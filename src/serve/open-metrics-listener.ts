import { ApiError } from '../base/api-error.ts'
import { isLoopback } from '../base/is-loopback.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { createDispatch } from '../http/dispatch.ts'
import { createForwarded } from '../http/forwarded.ts'
import { listen } from '../http/listen.ts'
import type { Closers } from './closers.ts'
import type { ShowMetrics } from './open-metrics.ts'
import type { ServeContext } from './serve-options.ts'

/**
 * `GET /metrics` on an address of its own, if the settings name one: whoever can reach it can read it. On this machine only, that
 * must not be any page in a browser whose name resolves to it (DNS rebinding): names are those of this machine and of `publicUrl`,
 * as for the API. On another address, monitoring may call it what it likes.
 */
export const openMetricsListener = async (
  { config, clock, log }: ServeContext,
  showMetrics: ShowMetrics,
  closers: Closers,
): Promise<void> => {
  const { metricsHost: host, metricsPort: port, publicUrl } = config
  if (port === null) return
  const dispatch = createDispatch({
    routes: [{ method: 'GET', path: '/metrics', isProbe: true, handle: refuseOthers(showMetrics) }],
    locate: createForwarded({
      trustedProxies: [],
      publicUrl: isLoopback(host) ? (publicUrl ?? 'http://localhost') : undefined,
    }),
    cors: () => ({}),
    bodies: createBodyBudget(config),
    showUnknown: () => false,
    clock,
    log,
  })
  const listener = await listen({ host, port, tls: null }, config, dispatch)
  closers.add(async () => {
    listener.closeAllConnections()
    await listener.close()
  })
  log.info('metrics_listening', { host, port: listener.address?.port ?? port })
}

/** Probes may name any host; this one says more than whether the server is well. */
const refuseOthers =
  (show: ShowMetrics): ShowMetrics =>
  async (exchange) => {
    const { otherHost: host, origin: publicUrl } = exchange.origin
    if (host !== undefined) throw ApiError.of('misdirected_request', { host, publicUrl })
    await show(exchange)
  }
