import { ApiError } from '../../../base/api-error.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import type { NeededExtracts } from '../../generation/request/body-extracts.ts'
import {
  defaultSampling,
  foldSeed,
  type GenerationRequest,
  plainRequest,
  type RequestFields,
  type TranslatedRequest,
} from '../../generation/request/generation-request.ts'
import { nameOtherEndpoint } from '../../generation/request/name-other-endpoint.ts'
import { readFields } from '../../generation/request/read-fields.ts'
import { toGenerationRequest } from '../../generation/request/to-generation-request.ts'
import { type CompletionsBody, completionsBody, maxChoices } from './completions-body.ts'

export type CompletionsRequest = GenerationRequest & {
  /** For each prompt the text that precedes its choices, which may be empty; null: the text of its token ids. */
  echoes: (string | null)[]
  includeUsage: boolean
}

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readCompletionsRequest = (bytes: Uint8Array, needs: NeededExtracts): CompletionsRequest => {
  const parsed = parseJson(bytes)
  if (!isObject(parsed)) throw ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' })
  if (parsed.model === undefined) throw ApiError.of('missing_model', {})
  try {
    const { value: body, ignoredFields } = readFields(needs, () => completionsBody(parsed))
    refuseConflicts(body)
    const hashed = ['completions', parsed]
    return {
      ...toGenerationRequest(requestOf(body), { sent: parsed, hashed, ignoredFields }, needs),
      echoes: body.prompt.map((prompt) => (body.echo ? (typeof prompt === 'string' ? prompt : null) : '')),
      includeUsage: body.stream_options?.include_usage ?? false,
    }
  } catch (error) {
    throw nameOtherEndpoint(error, parsed, 'completions')
  }
}

const refuse = (path: string, reason: string): ApiError =>
  ApiError.of('refused_value', { path, reason }, { param: path })

const refuseConflicts = (body: CompletionsBody): void => {
  const { n, best_of, echo, prompt, max_tokens, logprobs, stream, stream_options } = body
  if ((best_of ?? 1) > (n ?? 1)) throw refuse('best_of', 'completions are not ranked, so it cannot be more than n')
  if (prompt.length * (n ?? 1) > maxChoices)
    throw refuse('n', `${prompt.length} prompts with ${n} choices each are more than ${maxChoices} choices`)
  if (echo && typeof logprobs !== 'number' && prompt.some((one) => typeof one !== 'string'))
    throw refuse('echo', 'a prompt of token IDs is returned as text only together with logprobs')
  if (max_tokens === 0 && !echo) throw refuse('max_tokens', 'without echo nothing would be returned')
  if (stream_options && !stream) throw ApiError.of('stream_options_without_stream', {}, { param: 'stream_options' })
}

/** The older API's default. */
const defaultMaxTokens = 16

const fields: RequestFields = {
  prompt: 'prompt',
  logprobs: 'logprobs',
  promptLogprobs: 'echo',
  emptyAnswer: 'max_tokens',
  logitBias: 'logit_bias',
  seed: 'seed',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
}

const requestOf = (body: CompletionsBody): TranslatedRequest => ({
  ...plainRequest({ model: body.model, prompt: { type: 'raw', prompts: body.prompt }, fields }),
  n: body.prompt.length * (body.n ?? 1),
  stream: body.stream ?? false,
  sampling: {
    ...defaultSampling,
    maxTokens: body.max_tokens ?? defaultMaxTokens,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    frequencyPenalty: body.frequency_penalty ?? 0,
    presencePenalty: body.presence_penalty ?? 0,
    logitBias: body.logit_bias ?? [],
    seed: foldSeed(body.seed),
    stops: body.stop ?? [],
    topLogprobs: body.logprobs ?? null,
    promptLogprobs: body.echo ? (body.logprobs ?? null) : null,
  },
})
