import { mayUseModel } from '../../../keys/key-guard.ts'
import type { ModelPool } from '../../../models/contract.ts'
import { modelNames } from '../../../models/model-names.ts'
import type { KeyRecord } from '../../../store/contract.ts'
import { maxTokenBytes, type WordLimit } from './refuse-too-long.ts'

type Pools = readonly Pick<ModelPool, 'model' | 'aliases' | 'kind'>[]

/**
 * The length of the context of each model that the key may use, by all its names, for the thread that reads the body. Upstreams
 * decide for themselves.
 */
export const modelContexts = (pools: Pools, key: Pick<KeyRecord, 'models'> | null): Map<string, number> => {
  const contexts = new Map<string, number>()
  for (const pool of pools) {
    const { contextTokens, parsesAnswers } = pool.model
    if (contextTokens === null || parsesAnswers || pool.kind !== 'chat') continue
    if (key !== null && !mayUseModel(key, modelNames(pool))) continue
    for (const name of modelNames(pool)) contexts.set(name, contextTokens)
  }
  return contexts
}

/** How many words the prompts of these models have at most, as far as that is known, by all their names. */
export const modelWordLimits = (pools: Pools, contexts: ReadonlyMap<string, number>): Map<string, WordLimit> => {
  const limits = new Map<string, WordLimit>()
  for (const pool of pools) {
    const { contextTokens, maxTokenWords } = pool.model
    if (contextTokens === null || maxTokenWords === undefined) continue
    const limit = { contextTokens, words: contextTokens * maxTokenWords }
    for (const name of modelNames(pool)) if (contexts.has(name)) limits.set(name, limit)
  }
  return limits
}

/** A text with more bytes fits none of the models. Null if the key may not use all of them, or some decide for themselves. */
export const longestTextBytes = (pools: Pools, contexts: ReadonlyMap<string, number>): number | null =>
  contexts.size > 0 && pools.every((pool) => contexts.has(pool.model.id))
    ? Math.max(...contexts.values()) * maxTokenBytes
    : null

/** The names of all models that upstreams answer, for the thread that reads the body. */
export const upstreamModelsOf = (pools: Pools): Set<string> => {
  const names = new Set<string>()
  for (const pool of pools) if (pool.model.parsesAnswers) for (const name of modelNames(pool)) names.add(name)
  return names
}

/** The names of models that have upstreams with a Responses API, each with the tools that one of these may run. */
export const responsesModelsOf = (pools: Pools): Map<string, ReadonlySet<string>> => {
  const models = new Map<string, ReadonlySet<string>>()
  for (const pool of pools) {
    const { builtInTools } = pool.model
    if (builtInTools !== undefined) for (const name of modelNames(pool)) models.set(name, builtInTools)
  }
  return models
}
