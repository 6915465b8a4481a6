import { defaultSampling } from '../api/generation/request/generation-request.ts'
import { systemClock } from '../base/clock.ts'
import { errorText } from '../base/log.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { openEmbeddedEngine } from '../engine/embedded/embedded-engine.ts'
import { enginePackages } from '../engine/embedded/engine-packages.ts'
import { describeModels } from '../models/describe-models.ts'
import { findDefaultModel } from '../models/find-default-model.ts'
import { modelEntries } from '../models/model-entries.ts'
import { readModelList } from '../models/model-list-file.ts'

export type GpuTrial = { device: string; model: string } | { fault: string }

/** Generates a token on the GPU with the default model, in a process of its own: a library that does not suit the GPU ends it. */
export const tryGpu = async (config: Config, workerPath: string): Promise<GpuTrial> => {
  const described = await describeModels(modelEntries(config, await readModelList(config.dataDir)), silent)
  const first = findDefaultModel(described)
  if (first === undefined) throw new OperatorError('There is no model to try the GPU with.')
  if (first.files === null) throw new OperatorError(first.failure)
  const engine = openEmbeddedEngine({
    ...{ modelFiles: first.files, slots: 1, threads: config.engineThreads, gpu: 'required' },
    ...{ packages: enginePackages(config.dataDir).modules, gpuLayers: config.engineGpuLayers },
    // The first token can wait for the driver to compile its programs.
    ...{ silenceLimitMs: trialLimitMs, clock: systemClock, log: silent, workerPath },
  })
  try {
    const loaded = await engine.firstLoad
    if (loaded.outcome !== 'ready') return { fault: loaded.outcome === 'refused' ? loaded.reason : 'it was stopped' }
    const caller = { cacheScope: 'trial', ownerId: 'trial' }
    const prompt = {
      ...caller,
      messages: [],
      tools: [],
      rawPrompt: 'Hello',
      templateVariables: {},
      opening: 'none',
    } as const
    const signal = AbortSignal.timeout(trialLimitMs)
    const prepared = await engine.prepare(prompt, signal)
    for await (const event of prepared.generate(oneToken, signal))
      if (event.type === 'end') return { device: engine.process()?.gpu ?? 'the GPU', model: first.id }
    return { fault: 'no token was generated' }
  } catch (error) {
    return { fault: `the engine process failed at the first token (${errorText(error)})` }
  } finally {
    await engine.close()
  }
}

const trialLimitMs = 300_000
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const oneToken = { ...defaultSampling, maxTokens: 1, ignoreEnd: true, constraint: null, withoutText: null }
