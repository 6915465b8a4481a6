import { createBodyBudget } from '../http/body-budget.ts'
import { createDispatch } from '../http/dispatch.ts'
import { createForwarded } from '../http/forwarded.ts'
import { listen } from '../http/listen.ts'
import type { Closers } from './closers.ts'
import type { ShowMetrics } from './open-metrics.ts'
import type { ServeContext } from './serve-options.ts'

/** `GET /metrics` on an address of its own, if the settings name one: whoever can reach it can read it. */
export const openMetricsListener = async (
  { config, clock, log }: ServeContext,
  showMetrics: ShowMetrics,
  closers: Closers,
): Promise<void> => {
  const { metricsHost: host, metricsPort: port } = config
  if (port === null) return
  const dispatch = createDispatch({
    routes: [{ method: 'GET', path: '/metrics', isProbe: true, handle: showMetrics }],
    locate: createForwarded({ trustedProxies: [] }),
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
