import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { OperatorError } from '../base/operator-error.ts'
import { listSecrets } from '../config/list-secrets.ts'
import type { Config } from '../config/settings.ts'
import { upstreamDefaultModel } from '../config/upstream-default-model.ts'
import { openEmbeddedEngine } from '../engine/embedded/embedded-engine.ts'
import { enginePackages } from '../engine/embedded/engine-packages.ts'
import { memoryLimitBytes } from '../engine/memory-limit.ts'
import type { ModelFiles } from '../engine/model-folder.ts'
import { ModelRefused } from '../engine/model-refused.ts'
import { configuredUpstreams, requireKeys, requireTokenizers } from '../upstreams/configured-upstreams.ts'
import { upstreamOfSetting } from '../upstreams/upstream-of-setting.ts'
import { createUpstreamSet, type UpstreamSet } from '../upstreams/upstream-set.ts'
import type { Models } from './contract.ts'
import { describeModels } from './describe-models.ts'
import { findDefaultModel } from './find-default-model.ts'
import type { LoadableEngine } from './loadable-model.ts'
import { createMemoryBudget } from './memory-budget.ts'
import { modelEntries } from './model-entries.ts'
import { readModelList } from './model-list-file.ts'
import { openModels } from './open-models.ts'

/** The models that the settings, the list in the data directory and the upstreams name. */
export type ModelsStart = {
  open(): Models
  /** Their models join those of this machine. */
  upstreams: UpstreamSet
  /** Resolves to the reason if the files of the default model cannot be served; otherwise never resolves. */
  refused: Promise<string>
}

type ChooseModelsOptions = { config: Config; clock: Clock; log: Log; workerPath: string }

export const chooseModels = async (options: ChooseModelsOptions): Promise<ModelsStart> => {
  const { config, clock, log } = options
  if (config.defaultModel !== null && config.redis === null)
    throw new OperatorError(
      'HELIX_DEFAULT_MODEL is a model of engine nodes, and a server needs HELIX_STORE and HELIX_REDIS to use them',
    )
  const { promise: refused, resolve: onRefused } = Promise.withResolvers<string>()
  const describe = async () => describeModels(modelEntries(config, await readModelList(config.dataDir)), log)
  const described = await describe()
  const defaultUpstream = upstreamDefaultModel(config)
  const first = defaultUpstream === null ? findDefaultModel(described) : undefined
  if (first !== undefined && first.failure !== null) throw new ModelRefused(first.failure)
  const upstreams = await openUpstreams(options)
  const open = () =>
    openModels({
      described,
      describe,
      upstreams,
      defaultUpstream,
      openEngine: (files, slots, gpuLayers) => openEmbedded(files, { slots, gpuLayers }, options),
      budget: createMemoryBudget(config.modelMemoryLimitBytes ?? memoryLimitBytes()),
      settings: config,
      onRefused,
      clock,
      log,
    })
  return { open, upstreams, refused }
}

/** Models that an upstream lists itself are known only later. */
const openUpstreams = async ({ config, clock, log }: ChooseModelsOptions): Promise<UpstreamSet> => {
  const configured = configuredUpstreams(config)
  requireKeys(configured)
  const kept = config.defaultModel === null ? [] : [config.defaultModel]
  const upstreams = createUpstreamSet({
    ...{ clock, log, kept, secrets: listSecrets(config) },
    reservedSlots: config.reservedSlots,
  })
  await requireTokenizers(configured, upstreams)
  upstreams.replace(configured.map((setting) => upstreamOfSetting(setting, [], false)))
  return upstreams
}

const openEmbedded = (
  modelFiles: ModelFiles,
  { slots, gpuLayers }: { slots: number; gpuLayers: number | null },
  { config, clock, log, workerPath }: ChooseModelsOptions,
): LoadableEngine =>
  openEmbeddedEngine({
    modelFiles,
    slots,
    threads: config.engineThreads,
    gpu: config.engineGpu,
    ownBuild: config.engineLibraries,
    packages: enginePackages(config.dataDir).modules,
    gpuLayers,
    splitMode: config.engineGpuSplitMode,
    mainGpu: config.engineMainGpu,
    cacheType: config.engineCacheType,
    flashAttention: config.engineFlashAttention,
    speculation: config.engineSpeculation,
    silenceLimitMs: config.engineSilenceLimitMs,
    clock,
    log: forModel(log, modelFiles.served.id),
    workerPath,
  })

/** Events of the engine process name its model. */
const forModel = (log: Log, model: string): Log => ({
  info: (event, fields) => log.info(event, { model, ...fields }),
  warn: (event, fields) => log.warn(event, { model, ...fields }),
  error: (event, fields) => log.error(event, { model, ...fields }),
})
