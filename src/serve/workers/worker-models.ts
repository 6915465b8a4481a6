import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import type { QueueSettings } from '../../models/create-queue.ts'
import { modelNames } from '../../models/model-names.ts'
import { createUpstreamPools } from '../../models/upstream-pools.ts'
import type { RequestQueue } from '../../schedule/request-queue.ts'
import type { UpstreamSet } from '../../upstreams/upstream-set.ts'
import type { PoolView, ServedView } from './protocol.ts'

type WorkerModelsDependencies = {
  upstreams: Pick<UpstreamSet, 'models' | 'replace'>
  openQueue(model: string): RequestQueue
  settings: QueueSettings
  clock: Clock
  log: Log
}

export type WorkerModels = Pick<Models, 'list' | 'find'> & {
  update(served: ServedView): void
  /** Whether this worker answers requests for it. */
  isOwn(pool: ModelPool | null): boolean
}

/** The models of the server in a worker. Those that it does not answer itself are known by name and limits only. */
export const createWorkerModels = (dependencies: WorkerModelsDependencies): WorkerModels => {
  const { upstreams, openQueue } = dependencies
  const upstreamPools = createUpstreamPools({ ...dependencies, defaultUpstream: null })
  let pools: readonly ModelPool[] = []
  let own: ReadonlySet<ModelPool> = new Set()
  let byName = new Map<string, ModelPool>()
  return {
    list: () => pools,
    find: (name) => byName.get(name) ?? null,
    isOwn: (pool) => pool !== null && own.has(pool),
    update(served) {
      upstreams.replace(served.upstreams)
      const joined = upstreamPools.join([])
      const found = served.pools.map((view) => {
        const pool = view.isOfWorkers ? joined.find(({ model }) => model.id === view.model.id) : undefined
        return { pool: pool ?? elsewherePool(view, openQueue), isOwn: pool !== undefined }
      })
      pools = found.map(({ pool }) => pool)
      own = new Set(found.flatMap(({ pool, isOwn }) => (isOwn ? [pool] : [])))
      // The names are those that the authority gave them.
      byName = new Map(
        served.pools
          .flatMap((view, index) =>
            modelNames(view).map((name): [string, ModelPool | undefined] => [name, pools[index]]),
          )
          .toReversed()
          .flatMap(([name, pool]): [string, ModelPool][] => (pool === undefined ? [] : [[name, pool]])),
      )
    },
  }
}

const elsewherePool = ({ model, aliases, kind }: PoolView, openQueue: (model: string) => RequestQueue): ModelPool => ({
  ...{ model, aliases, kind, slots: 1, queue: openQueue(model.id) },
  status: () => ({ state: 'ready', reason: null, memory: null, process: null, diskBytes: null }),
  use: () => Promise.reject(new Error('requests for it are passed on')),
})
