import { removeStaleSocket, workerSocketPath } from '../../http/control-socket.ts'
import { createWorkerGauges } from '../../metrics/worker-gauges.ts'
import type { Closers } from '../closers.ts'
import type { Accounting } from '../open-accounting.ts'
import type { Cluster } from '../open-cluster.ts'
import type { Storage } from '../open-storage.ts'
import type { ServeContext } from '../serve-options.ts'
import type { SharedMemory } from './shared-memory.ts'
import { Workers } from './workers.ts'

type Earlier = Pick<
  Storage & Cluster & Accounting,
  'models' | 'store' | 'upstreamSet' | 'limiter' | 'ledger' | 'bodies' | 'refusals' | 'disk' | 'access'
>

/** Starts the workers. They listen later, and end after their last requests. */
export const openWorkers = (
  context: ServeContext,
  earlier: Earlier,
  { count, memory }: { count: number; memory: SharedMemory },
  closers: Closers,
): Workers => {
  const { config, clock, log, metrics, workerLink, logLines: lines = null } = context
  const { models, store, upstreamSet: upstreams, limiter, ledger, bodies, refusals, disk, access } = earlier
  const socketPath = workerSocketPath(config.dataDir)
  removeStaleSocket(socketPath)
  const workers = new Workers({
    ...{
      config,
      count,
      memory,
      socketPath,
      clock,
      log,
      lines,
      models,
      upstreams,
      limiter,
      ledger,
      bodies,
      refusals,
      store,
      disk,
    },
    lastUsed: access.lastUsed,
    epoch: workerLink.epoch,
  })
  closers.add(() => workers.stop())
  workerLink.attach({
    recheck: () => workers.recheck(),
    leaseLost: () => workers.leaseLost(),
    modelsChanged: () => workers.modelsChanged(),
    readCounts: () => workers.readCounts(),
    spanCounts: () => workers.spanCounts(),
  })
  metrics.add(...createWorkerGauges(workers))
  return workers
}
