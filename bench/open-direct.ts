import { loadConfig } from '../src/config/load-config.ts'
import { type Llama, openLlama } from '../src/engine/embedded/llama/open-llama.ts'
import { readModel } from '../src/engine/model-folder.ts'

/** The reference for the engine benches: llama.cpp with the default model in the service's context, and no more. */
export const openDirect = async (): Promise<Llama> => {
  const config = loadConfig({ flags: {}, environment: {}, configFile: null })
  const { weightsPath, served } = await readModel(config.model)
  const settings = {
    weightsPath,
    contextTokens: served.contextTokens,
    slots: config.engineSlots,
    threads: config.engineThreads,
    gpu: config.engineGpu,
    cacheType: config.engineCacheType,
    flashAttention: config.engineFlashAttention,
  }
  return openLlama(settings, () => {})
}

export const likeliestToken = (logits: Float32Array): number =>
  logits.reduce((best, logit, id) => (logit > (logits[best] ?? Number.NEGATIVE_INFINITY) ? id : best), 0)
