import { type JsonObject, readJsonObject } from './json-file.ts'
import { ModelRefused } from './model-refused.ts'
import type { SamplingDefaults } from './sampling.ts'

/** Tokens that end an answer, in addition to those named in the weights. */
export type EndTokens = { texts: string[]; ids: number[] }
type GenerationConfig = { defaults: SamplingDefaults; endTokens: EndTokens }

type Range = { minimum: number; maximum: number; integer?: true }

/** The model authors' recommended sampling. A missing field falls back to the API default: no filter. */
export const readGenerationConfig = async (path: string): Promise<GenerationConfig> => {
  const config = (await readJsonObject(path)) ?? {}
  const number = (field: string, fallback: number, range: Range) => numberIn(config, field, fallback, range, path)
  return {
    defaults: {
      temperature: number('temperature', 1, { minimum: 0, maximum: 100 }),
      topP: number('top_p', 1, { minimum: 0, maximum: 1 }),
      // -1 also means "off".
      topK: Math.max(0, number('top_k', 0, { minimum: -1, maximum: 2 ** 31 - 1, integer: true })),
      minP: number('min_p', 0, { minimum: 0, maximum: 1 }),
      repetitionPenalty: number('repetition_penalty', 1, { minimum: 0.01, maximum: 100 }),
      maxTokens: number('max_new_tokens', 0, { minimum: 0, maximum: 2 ** 31 - 1, integer: true }) || null,
    },
    endTokens: readEndTokens(config, path),
  }
}

const numberIn = (config: JsonObject, field: string, fallback: number, range: Range, path: string): number => {
  const value = config[field]
  if (value === undefined || value === null) return fallback
  const fits = typeof value === 'number' && value >= range.minimum && value <= range.maximum
  if (fits && (!range.integer || Number.isInteger(value))) return value
  throw new ModelRefused(
    `${path}: ${field} must be ${range.integer ? 'a whole number' : 'a number'} from ${range.minimum} to ${range.maximum}.`,
  )
}

const readEndTokens = (config: JsonObject, path: string): EndTokens => {
  const texts = readList(config.eos_token).map((text) => {
    if (typeof text === 'string' && text !== '') return text
    throw new ModelRefused(`${path}: eos_token must be the text of a token or a list of token texts.`)
  })
  const ids = readList(config.eos_token_id).map((id) => {
    if (typeof id === 'number' && Number.isInteger(id) && id >= 0) return id
    throw new ModelRefused(`${path}: eos_token_id must be a token ID or a list of token IDs.`)
  })
  return { texts, ids }
}

const readList = (value: unknown): unknown[] => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
