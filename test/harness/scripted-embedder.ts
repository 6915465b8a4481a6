import { ApiError } from '../../src/base/api-error.ts'
import type { EmbeddingInputs, PreparedInputs } from '../../src/engine/contract.ts'
import { openScriptedEngine, type ScriptedEngineOptions } from '../../src/engine/scripted.ts'

export const embedderName = 'tiny-embedding'

type ScriptedEmbedderOptions = {
  /** Called before the vector of each input. */
  beforeVector?: (index: number) => Promise<unknown> | undefined
} & Partial<ScriptedEngineOptions>

/** An embedding model that counts a token for each word or id, and whose vectors are easy to work out by hand. */
export const openScriptedEmbedder = ({
  beforeVector = () => undefined,
  model,
  ...rest
}: ScriptedEmbedderOptions = {}) => {
  const vectorLength = model?.vectorLength ?? 3
  const served = { id: embedderName, contextTokens: 8, features: new Set(['embeddings'] as const), vectorLength }
  const engine = openScriptedEngine({ answer: () => [], ...rest, model: { ...served, ...model } })
  let active = 0
  const prepared: EmbeddingInputs[] = []
  const embed = async function* (lengths: readonly number[], signal: AbortSignal) {
    active += 1
    try {
      for (const [index, tokens] of lengths.entries()) {
        await Promise.race([beforeVector(index), aborted(signal)])
        signal.throwIfAborted()
        yield scriptedVector(tokens, vectorLength)
      }
    } finally {
      active -= 1
    }
  }
  return {
    ...engine,
    active: () => active,
    /** The inputs of each request, as the model gets them. */
    prepared,
    async prepareInputs(inputs: EmbeddingInputs): Promise<PreparedInputs> {
      prepared.push(inputs)
      if (engine.state() === 'loading') throw ApiError.of('engine_loading', {}, { retryAfterMs: 1500 })
      const lengths = inputs.map((input) => (typeof input === 'string' ? input.split(' ').length : input.length))
      return {
        promptTokens: lengths.reduce((sum, tokens) => sum + tokens, 0),
        embed: (signal) => embed(lengths, signal),
      }
    },
  }
}

/** For two tokens: 0.5, 0.25, 0.125 and so on. */
export const scriptedVector = (tokens: number, vectorLength = 3): Float32Array =>
  Float32Array.from({ length: vectorLength }, (_, index) => 1 / tokens / 2 ** index)

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
