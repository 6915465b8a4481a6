import { createBodyBudget } from '../http/body-budget.ts'
import { createDispatch } from '../http/dispatch.ts'
import type { Exchange } from '../http/exchange.ts'
import { createForwarded } from '../http/forwarded.ts'
import { listen } from '../http/listen.ts'
import { sendText } from '../http/respond.ts'
import { openProcessGauges } from '../metrics/process-gauges.ts'
import { createServerGauges } from '../metrics/server-gauges.ts'
import { openMetricsType } from '../metrics/write-metrics.ts'
import { lastBackupAt } from '../store/last-backup.ts'
import type { Closers } from './closers.ts'
import type { Accounting } from './open-accounting.ts'
import type { Cluster } from './open-cluster.ts'
import type { Storage } from './open-storage.ts'
import type { ServeContext } from './serve-options.ts'

type Earlier = Pick<Storage & Cluster & Accounting, 'directory' | 'models' | 'upstreams' | 'ledger' | 'redis'>

/** `GET /metrics` on an address of its own, if the settings name one: whoever can reach it can read it. */
export const openMetricsListener = async (
  { config, clock, log, metrics }: ServeContext,
  { directory, ...earlier }: Earlier,
  closers: Closers,
): Promise<void> => {
  const { metricsHost: host, metricsPort: port } = config
  if (port === null) return
  let backedUpAt: number | null = null
  const ofProcess = openProcessGauges()
  closers.add(() => ofProcess.close())
  const ofServer = createServerGauges({ ...earlier, directory: directory.path, backedUpAt: () => backedUpAt })
  metrics.add(...ofServer, ...ofProcess.families)
  const dispatch = createDispatch({
    routes: [
      {
        method: 'GET',
        path: '/metrics',
        isProbe: true,
        async handle(exchange: Exchange) {
          backedUpAt = await lastBackupAt(directory.path)
          sendText(exchange, 200, metrics.write(), openMetricsType)
        },
      },
    ],
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
