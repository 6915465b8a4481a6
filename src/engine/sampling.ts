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

/** Nothing left open: the request's own wishes, then the model's settings, then chance. */
export const fillSampling = (wished: Sampling, defaults: SamplingDefaults, roomTokens: number): FullSampling => {
  const { stops: _, ...rest } = wished
  return {
    ...rest,
    temperature: wished.temperature ?? defaults.temperature,
    topP: wished.topP ?? defaults.topP,
    topK: wished.topK ?? defaults.topK,
    minP: wished.minP ?? defaults.minP,
    repetitionPenalty: wished.repetitionPenalty ?? defaults.repetitionPenalty,
    maxTokens: Math.min(wished.maxTokens ?? defaults.maxTokens ?? roomTokens, roomTokens),
    seed: wished.seed ?? randomInt(2 ** 32),
  }
}
