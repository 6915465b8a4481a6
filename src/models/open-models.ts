import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { ModelFiles } from '../engine/model-folder.ts'
import type { UpstreamSet } from '../upstreams/upstream-set.ts'
import type { ModelPool, Models } from './contract.ts'
import { createQueue, modelQueueLimit, type QueueSettings } from './create-queue.ts'
import type { DescribedModel } from './describe-models.ts'
import { findDefaultModel } from './find-default-model.ts'
import { describeInstalled } from './installed-model.ts'
import { type LoadableEngine, LoadableModel } from './loadable-model.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { modelNames } from './model-names.ts'
import { plannedMemory } from './planned-memory.ts'
import { createUpstreamPools } from './upstream-pools.ts'

export type OpenModelsOptions = {
  /** The models at the start, and again for each reload. */
  described: readonly DescribedModel[]
  describe(): Promise<readonly DescribedModel[]>
  upstreams: Pick<UpstreamSet, 'models' | 'onChange' | 'close'>
  /** The model of an upstream that is the default, and first in the list. Null: a model of this machine. */
  defaultUpstream: string | null
  openEngine(files: ModelFiles, slots: number, gpuLayers: number | null): LoadableEngine
  budget: MemoryBudget
  settings: QueueSettings & Parameters<typeof plannedMemory>[1]
  /** Called if the default model cannot be served at the start. */
  onRefused(reason: string): void
  clock: Clock
  log: Log
}

/** Loads the default model at once and the others on demand. */
export const openModels = (options: OpenModelsOptions): Models => {
  const { upstreams, defaultUpstream, onRefused } = options
  const upstreamPools = createUpstreamPools(options)
  let described = options.described
  let served: Served[] = []
  const all = new Set<LoadableModel>()
  let byName = new Map<string, ModelPool>()
  let pools: readonly ModelPool[] = []
  let reloading: Promise<void> = Promise.resolve()

  /** Models that did not change stay loaded; removed ones end with their last request. */
  const apply = (): void => {
    const before = served
    const main = defaultUpstream === null ? findDefaultModel(described) : undefined
    served = described.map((model) => {
      const same = before.find((old) => isSame(old.described, model) && old.pool.status().state !== 'failed')
      return { described: model, pool: same?.pool ?? createModel(model, options) }
    })
    for (const { pool, described: model } of served) {
      all.add(pool)
      pool.aliases = model.aliases
      pool.installed = describeInstalled(model, options.settings)
      pool.setDefault(model === main)
    }
    for (const { pool } of before)
      if (!served.some((model) => model.pool === pool)) void pool.remove().then(() => all.delete(pool))
    const inOrder = served.toSorted((a, b) => Number(b.pool.isDefault()) - Number(a.pool.isDefault()))
    pools = upstreamPools.join(inOrder.map(({ pool }) => pool))
    byName = new Map(pools.toReversed().flatMap((pool) => modelNames(pool).map((name) => [name, pool])))
  }
  const defaultModel = (): LoadableModel | undefined => served.find(({ pool }) => pool.isDefault())?.pool

  apply()
  upstreams.onChange(apply)
  void defaultModel()
    ?.start()
    .then((reason) => {
      if (reason !== null) onRefused(reason)
    })
  return {
    list: () => pools,
    find: (name) => byName.get(name) ?? null,
    get defaultPool() {
      const [first] = pools
      if (first === undefined) throw new Error('there is always a default model')
      return first
    },
    reload() {
      const next = reloading
        .catch(() => {})
        .then(async () => {
          described = await options.describe()
          apply()
          void defaultModel()?.preload()
        })
      reloading = next
      return next
    },
    async close() {
      await Promise.all([upstreams.close(), ...[...all].map((pool) => pool.close())])
    },
  }
}

type Served = { described: DescribedModel; pool: LoadableModel }

/** The files count too: a model may be replaced by another under the same name and path. */
const isSame = (a: DescribedModel, b: DescribedModel): boolean => modelIdentity(a) === modelIdentity(b)

const modelIdentity = ({ id, entry, files }: DescribedModel): string =>
  JSON.stringify([
    id,
    entry.path,
    entry.contextTokens,
    entry.slots,
    entry.gpuLayers,
    entry.idleMinutes,
    files?.description.sizeBytes,
    files?.served.weightsId,
    files?.served.created,
  ])

const createModel = (described: DescribedModel, options: OpenModelsOptions): LoadableModel => {
  const { openEngine, budget, settings, clock, log } = options
  const { entry, id, files, failure } = described
  const diskBytes = files?.description.sizeBytes ?? null
  return new LoadableModel({
    model: files?.served ?? {
      ...{ id, created: Math.floor(clock.now() / 1000), ownedBy: 'local' },
      ...{ contextTokens: null, vocabularyTokens: null, features: null },
    },
    kind: files?.kind ?? 'chat',
    slots: entry.slots,
    queue: createQueue(entry.slots, settings, clock),
    diskBytes,
    memory: plannedMemory(described, settings),
    idleMs: entry.idleMinutes === 0 ? null : entry.idleMinutes * 60_000,
    failure,
    waitingLimit: settings.queueLimit ?? modelQueueLimit,
    openEngine() {
      if (files === null) throw new Error('a model whose files cannot be served is never loaded')
      return openEngine(files, entry.slots, entry.gpuLayers ?? settings.engineGpuLayers)
    },
    budget,
    clock,
    log,
  })
}
