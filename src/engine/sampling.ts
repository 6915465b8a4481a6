import { randomInt } from 'node:crypto'
import type { Sampling } from './contract.ts'

/** What an answer is sampled with where the request says nothing: the model's own `generation_config.json`. */
export type SamplingDefaults = {
  temperature: number
  topP: number
  topK: number
  minP: number
  repetitionPenalty: number
  /** The most tokens of an answer; null: as many as fit. */
  maxTokens: number | null
}

/** Stop strings are not in it: the API cuts them off. */
export type FullSampling = Omit<Sampling, keyof SamplingDefaults | 'seed' | 'stops'> &
  Omit<SamplingDefaults, 'maxTokens'> & { maxTokens: number; seed: number }

/** Nothing left open: the request's own options, then the model's settings, then chance. */
export const fillSampling = (requested: Sampling, defaults: SamplingDefaults, roomTokens: number): FullSampling => {
  const { stops: _, ...rest } = requested
  return {
    ...rest,
    temperature: requested.temperature ?? defaults.temperature,
    topP: requested.topP ?? defaults.topP,
    topK: requested.topK ?? defaults.topK,
    minP: requested.minP ?? defaults.minP,
    repetitionPenalty: requested.repetitionPenalty ?? defaults.repetitionPenalty,
    maxTokens: Math.min(requested.maxTokens ?? defaults.maxTokens ?? roomTokens, roomTokens),
    seed: requested.seed ?? randomInt(2 ** 32),
  }
}
