import { randomInt } from 'node:crypto'
import type { Sampling } from './contract.ts'

/** Sampling defaults if the request sets none: the model's own `generation_config.json`. */
export type SamplingDefaults = {
  temperature: number
  topP: number
  topK: number
  minP: number
  repetitionPenalty: number
  /** Maximum number of tokens in an answer; null: as many as fit. */
  maxTokens: number | null
}

/** Excludes stop strings, which the API handles. */
export type FullSampling = Omit<Sampling, keyof SamplingDefaults | 'seed' | 'stops'> &
  Omit<SamplingDefaults, 'maxTokens'> & { maxTokens: number; seed: number }

/** Resolves every option: from the request, then from the model's settings; a missing seed is random. */
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
