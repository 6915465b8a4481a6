import { ApiError } from '../../../base/api-error.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import type { NeededExtracts } from '../../generation/request/body-extracts.ts'
import {
  defaultSampling,
  foldSeed,
  type GenerationRequest,
  plainRequest,
  type RawPrompt,
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
  /** With `includeUsage`: every chunk says what was used so far. */
  continuousUsage: boolean
  /** How many of the most likely tokens vLLM's `prompt_logprobs` has; null: it was not requested. */
  promptLogprobs: number | null
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
      ...toGenerationRequest(translateRequest(body), { sent: parsed, hashed, ignoredFields }, needs),
      echoes: body.prompt.map((prompt) => choiceEcho(prompt, body)),
      includeUsage: body.stream_options?.include_usage ?? false,
      continuousUsage: body.stream_options?.continuous_usage_stats ?? false,
      promptLogprobs: body.prompt_logprobs ?? null,
    }
  } catch (error) {
    throw nameOtherEndpoint(error, parsed, 'completions')
  }
}

const refuse = (path: string, reason: string): ApiError =>
  ApiError.of('refused_value', { path, reason }, { param: path })

/** Of a shortened prompt, the text is that of its tokens. */
const choiceEcho = (prompt: RawPrompt, { echo, truncate_prompt_tokens }: CompletionsBody): string | null => {
  if (!echo) return ''
  return typeof prompt === 'string' && typeof truncate_prompt_tokens !== 'number' ? prompt : null
}

const refuseConflicts = (body: CompletionsBody): void => {
  const { n, best_of, echo, prompt, max_tokens, logprobs, stream, stream_options } = body
  if ((best_of ?? 1) > (n ?? 1)) throw refuse('best_of', 'completions are not ranked, so it cannot be more than n')
  if (prompt.length * (n ?? 1) > maxChoices)
    throw refuse('n', `${prompt.length} prompts with ${n} choices each are more than ${maxChoices} choices`)
  if (echo && typeof logprobs !== 'number' && prompt.some((one) => typeof one !== 'string'))
    throw refuse('echo', 'a prompt of token IDs is returned as text only together with logprobs')
  const hasLogprobs = typeof logprobs === 'number'
  const scores = typeof body.prompt_logprobs === 'number'
  if (echo && !hasLogprobs && typeof body.truncate_prompt_tokens === 'number')
    throw refuse('echo', 'a shortened prompt is returned as text only together with logprobs')
  if (max_tokens === 0 && !echo && !scores)
    throw refuse('max_tokens', 'without echo or prompt_logprobs nothing would be returned')
  if (echo && hasLogprobs && stream && (n ?? 1) > 1)
    throw refuse('n', 'a stream with the log probabilities of prompts has one choice for each prompt')
  if (scores && stream) throw refuse('prompt_logprobs', "it is not available when 'stream' is true")
  if ((body.logprob_token_ids ?? []).length > 0 && !hasLogprobs)
    throw refuse('logprob_token_ids', "it is only allowed with 'logprobs'")
  if (stream_options && !stream) throw ApiError.of('stream_options_without_stream', {}, { param: 'stream_options' })
}

/** The older API's default. */
const defaultMaxTokens = 16

const fields: RequestFields = {
  prompt: 'prompt',
  logprobs: 'logprobs',
  promptLogprobs: 'echo',
  allowedIds: 'allowed_token_ids',
  logprobIds: 'logprob_token_ids',
  maxPromptTokens: 'truncate_prompt_tokens',
  returnTokenIds: 'return_token_ids',
  emptyAnswer: 'max_tokens',
  logitBias: 'logit_bias',
  seed: 'seed',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
}

const translateRequest = (body: CompletionsBody): TranslatedRequest => ({
  ...plainRequest({
    model: body.model,
    prompt: { type: 'raw', prompts: body.prompt, maxTokens: body.truncate_prompt_tokens ?? null },
    fields: typeof body.prompt_logprobs === 'number' ? { ...fields, promptLogprobs: 'prompt_logprobs' } : fields,
  }),
  returnTokenIds: body.return_token_ids ?? false,
  repeatsPrompts: body.echo ?? false,
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
    promptLogprobs: promptLogprobsOf(body),
    allowedIds: body.allowed_token_ids ?? null,
    logprobIds: body.logprob_token_ids ?? [],
  },
})

/** Of both fields that ask for them, the larger number. */
const promptLogprobsOf = ({ echo, logprobs, prompt_logprobs }: CompletionsBody): number | null => {
  const echoed = echo ? (logprobs ?? null) : null
  const asked = prompt_logprobs ?? null
  return echoed === null || asked === null ? (echoed ?? asked) : Math.max(echoed, asked)
}
