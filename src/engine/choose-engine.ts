import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import type { Engine } from './contract.ts'
import { openEmbeddedEngine } from './embedded/embedded-engine.ts'
import { readModel } from './model-folder.ts'
import { openRemoteEngine } from './remote/remote-engine.ts'

/** The engine that the settings select: the remote engine if an upstream is set, else the embedded engine. */
export type EngineStart = {
  start(): Engine
  /** Resolves to the reason if the model files on disk cannot be served; otherwise never resolves. */
  refused: Promise<string>
}

type ChooseEngineOptions = { config: Config; clock: Clock; log: Log; workerPath: string }

export const chooseEngine = async ({ config, clock, log, workerPath }: ChooseEngineOptions): Promise<EngineStart> => {
  const { promise: refused, resolve: refuse } = Promise.withResolvers<string>()
  const { upstreamUrl, upstreamModel } = config
  if (upstreamUrl !== null && upstreamModel !== null) {
    const start = () =>
      openRemoteEngine({
        baseUrl: upstreamUrl,
        key: config.upstreamKey,
        upstreamModel,
        kind: config.upstreamKind,
        fields: config.upstreamFeatures,
        name: config.modelName ?? upstreamModel,
        contextTokens: config.contextTokens,
        slots: config.engineSlots,
        created: Math.floor(clock.now() / 1000),
        log,
      })
    return { start, refused }
  }
  const modelFiles = await readModel(config.model, {
    ...(config.modelName === null ? {} : { name: config.modelName }),
    ...(config.contextTokens === null ? {} : { contextTokens: config.contextTokens }),
  })
  const start = () => {
    const engine = openEmbeddedEngine({
      modelFiles,
      slots: config.engineSlots,
      threads: config.engineThreads,
      gpu: config.engineGpu,
      gpuLayers: config.engineGpuLayers,
      cacheType: config.engineCacheType,
      flashAttention: config.engineFlashAttention,
      silenceLimitMs: config.engineSilenceLimitMs,
      clock,
      log,
      workerPath,
    })
    void engine.firstLoad.then((first) => {
      if (first.outcome === 'refused') refuse(first.reason)
    })
    return engine
  }
  return { start, refused }
}
