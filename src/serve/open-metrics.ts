import { stat } from 'node:fs/promises'
import type { Exchange } from '../http/exchange.ts'
import { sendText } from '../http/respond.ts'
import { openProcessGauges } from '../metrics/process-gauges.ts'
import { createServerGauges } from '../metrics/server-gauges.ts'
import { openMetricsType } from '../metrics/write-metrics.ts'
import { lastBackupAt } from '../store/last-backup.ts'
import { spoolPath } from '../store/spool-path.ts'
import type { Closers } from './closers.ts'
import type { Accounting } from './open-accounting.ts'
import type { Cluster } from './open-cluster.ts'
import type { Storage } from './open-storage.ts'
import type { ServeContext } from './serve-options.ts'

type Earlier = Pick<Storage & Cluster & Accounting, 'directory' | 'models' | 'upstreams' | 'ledger' | 'redis'>

export type ShowMetrics = (exchange: Exchange) => Promise<void>

/** `GET /metrics`, for the listener of its own and for keys with the scope. */
export const openMetrics = (
  { metrics }: Pick<ServeContext, 'metrics'>,
  { directory: { path: directory }, ...earlier }: Earlier,
  closers: Closers,
): ShowMetrics => {
  const ofFiles: { backedUpAt: number | null; spoolBytes: number } = { backedUpAt: null, spoolBytes: 0 }
  const ofProcess = openProcessGauges()
  closers.add(() => ofProcess.close())
  metrics.add(...createServerGauges({ ...earlier, directory, ofFiles: () => ofFiles }), ...ofProcess.families)
  return async (exchange) => {
    ofFiles.backedUpAt = await lastBackupAt(directory)
    // There is none unless PostgreSQL could not be reached.
    ofFiles.spoolBytes = await stat(spoolPath(directory)).then(
      ({ size }) => size,
      () => 0,
    )
    sendText(exchange, 200, metrics.write(), openMetricsType)
  }
}
