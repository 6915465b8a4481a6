import { getLlama, type LlamaContext, LlamaLogLevel, type LlamaModel } from 'node-llama-cpp'
import { loadConfig } from '../src/config/load-config.ts'
import { readModel } from '../src/engine/model-folder.ts'

/** The reference for the engine benches: the default model in the service's context, with nothing around it. */
export const openDirect = async (): Promise<{ model: LlamaModel; context: LlamaContext; slots: number }> => {
  const config = loadConfig({ flags: {}, environment: {}, configFile: null })
  const { weightsPath, served } = await readModel(config.model)
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    maxThreads: config.engineThreads,
    logLevel: LlamaLogLevel.error,
  })
  const model = await llama.loadModel({ modelPath: weightsPath })
  const slots = config.engineSlots
  return { model, context: await model.createContext({ sequences: slots, contextSize: served.contextTokens }), slots }
}
