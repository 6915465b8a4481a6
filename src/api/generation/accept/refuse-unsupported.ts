import { ApiError } from '../../../base/api-error.ts'
import type { EngineFeature, ServedModel } from '../../../engine/contract.ts'
import type { FormatSource } from '../compile/grammar-source.ts'
import {
  mediaMessagesIn,
  type OptionalField,
  type Prompt,
  type RawPrompt,
  type TranslatedRequest,
} from '../request/generation-request.ts'
import { refuseMedia } from '../request/media/check-media.ts'

/** The schemas themselves are checked later. */
export type CheckedRequest = Pick<TranslatedRequest, 'prompt' | 'sampling' | 'returnTokenIds' | 'fields'> & {
  calling: object | null
  format: { source: { type: FormatSource['type'] } } | null
}

/** Something that not every engine accepts, and how to tell whether a request asks for it. */
type Need = {
  field: OptionalField | 'prompt'
  /** Its name in `acceptedFields`. */
  accepted: string
  /** Null: every engine that does not list its fields accepts it. */
  feature: EngineFeature | null
  asked(request: CheckedRequest): boolean
}
const hasCalls = (prompt: Prompt): boolean =>
  prompt.type === 'chat' &&
  (prompt.written?.hasCalls ?? prompt.messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls))

const jsonTypes: readonly string[] = ['object', 'schema', 'schema_text']
const needs: Need[] = [
  { field: 'tools', accepted: 'tools', feature: 'tools', asked: ({ calling }) => calling !== null },
  {
    field: 'prompt',
    accepted: 'tools',
    feature: 'tools',
    asked: ({ prompt }) => hasCalls(prompt),
  },
  {
    field: 'format',
    accepted: 'response_format',
    feature: 'grammar',
    asked: ({ format }) => format !== null && jsonTypes.includes(format.source.type),
  },
  {
    field: 'format',
    accepted: 'structured_outputs',
    feature: 'grammar',
    asked: ({ format }) => format !== null && !jsonTypes.includes(format.source.type),
  },
  {
    field: 'logprobs',
    accepted: 'logprobs',
    feature: 'logprobs',
    asked: ({ sampling }) => sampling.topLogprobs !== null,
  },
  {
    field: 'promptLogprobs',
    accepted: 'prompt_logprobs',
    feature: 'token_ids',
    asked: ({ sampling }) => sampling.promptLogprobs !== null,
  },
  // The prompt is only read.
  {
    field: 'emptyAnswer',
    accepted: 'empty_answer',
    feature: 'token_ids',
    asked: ({ sampling }) => sampling.maxTokens === 0,
  },
  {
    field: 'allowedIds',
    accepted: 'allowed_token_ids',
    feature: 'token_ids',
    asked: ({ sampling }) => sampling.allowedIds !== null,
  },
  {
    field: 'logprobIds',
    accepted: 'logprob_token_ids',
    feature: 'token_ids',
    asked: ({ sampling }) => sampling.logprobIds.length > 0,
  },
  {
    field: 'maxPromptTokens',
    accepted: 'truncate_prompt_tokens',
    feature: 'token_ids',
    asked: ({ prompt }) => prompt.type === 'raw' && (prompt.maxTokens ?? null) !== null,
  },
  {
    field: 'logitBias',
    accepted: 'logit_bias',
    feature: 'token_ids',
    asked: ({ sampling }) => sampling.logitBias.length > 0,
  },
  {
    field: 'stopIds',
    accepted: 'stop_token_ids',
    feature: 'token_ids',
    asked: ({ sampling }) => sampling.stopIds.length > 0,
  },
  {
    field: 'minTokens',
    accepted: 'min_tokens',
    feature: 'token_ids',
    asked: ({ sampling }) => sampling.minTokens > 0,
  },
  { field: 'ignoreEnd', accepted: 'ignore_eos', feature: 'token_ids', asked: ({ sampling }) => sampling.ignoreEnd },
  {
    field: 'returnTokenIds',
    accepted: 'return_token_ids',
    feature: 'token_ids',
    asked: ({ returnTokenIds }) => returnTokenIds,
  },
  {
    field: 'templateVariables',
    accepted: 'chat_template_kwargs',
    feature: 'template',
    asked: ({ prompt }) => prompt.type === 'chat' && Object.keys(prompt.templateVariables).length > 0,
  },
  {
    field: 'continuing',
    accepted: 'continue_final_message',
    feature: 'template',
    asked: ({ prompt }) => prompt.type === 'chat' && prompt.opening === 'continue',
  },
  {
    field: 'opening',
    accepted: 'add_generation_prompt',
    feature: 'template',
    asked: ({ prompt }) => prompt.type === 'chat' && prompt.opening === 'none',
  },
  { field: 'seed', accepted: 'seed', feature: null, asked: ({ sampling }) => sampling.seed !== null },
  { field: 'topK', accepted: 'top_k', feature: null, asked: ({ sampling }) => sampling.topK !== null },
  { field: 'minP', accepted: 'min_p', feature: null, asked: ({ sampling }) => sampling.minP !== null },
  {
    field: 'repetitionPenalty',
    accepted: 'repetition_penalty',
    feature: null,
    asked: ({ sampling }) => sampling.repetitionPenalty !== null,
  },
  {
    field: 'frequencyPenalty',
    accepted: 'frequency_penalty',
    feature: null,
    asked: ({ sampling }) => sampling.frequencyPenalty !== 0,
  },
  {
    field: 'presencePenalty',
    accepted: 'presence_penalty',
    feature: null,
    asked: ({ sampling }) => sampling.presencePenalty !== 0,
  },
]

/**
 * Refuses by name what the model or its engine cannot do, or none of the upstreams behind it. While that is unknown nothing is
 * refused: the engine then responds with `engine_loading`, and a later attempt gets the definite error.
 */
export const refuseUnsupported = (request: CheckedRequest, model: ServedModel): void => {
  const { alternatives = [] } = model
  if (!alternatives.some((one) => isSupported(request, one))) refuseBy(request, alternatives[0] ?? model)
}

/** Whether a single engine can do all that a request asks for. */
export const isSupported = (request: CheckedRequest, model: ServedModel): boolean => {
  try {
    refuseBy(request, model)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

const refuseBy = (request: CheckedRequest, model: ServedModel): void => {
  const { features, vocabularyTokens } = model
  if (features === null) return
  const { prompt, sampling, fields } = request
  refuseMedia(mediaMessagesIn(prompt), features)
  const acceptedFields = (prompt.type === 'raw' ? model.rawPromptFields : undefined) ?? model.acceptedFields
  const fieldPath = (field: Need['field']): string => fields[field] ?? fields.prompt
  const isMet = ({ accepted, feature }: Need): boolean => {
    if (acceptedFields === undefined) return feature === null || features.has(feature)
    return acceptedFields.has(accepted)
  }
  refuseBuiltIns(prompt, model)
  for (const need of needs) if (!isMet(need) && need.asked(request)) throw unsupported(fieldPath(need.field))
  if (vocabularyTokens === null) return
  for (const [id] of sampling.logitBias) if (id >= vocabularyTokens) throw unknownToken(fieldPath('logitBias'), id)
  const unknown = prompt.type === 'raw' ? unknownId(prompt.prompts, vocabularyTokens) : undefined
  if (unknown !== undefined) throw unknownToken(fields.prompt, unknown)
  for (const field of ['stopIds', 'allowedIds', 'logprobIds'] as const) {
    const ids = sampling[field] ?? []
    const stranger = ids.findIndex((id) => id >= vocabularyTokens)
    if (stranger !== -1) throw unknownToken(`${fieldPath(field)}[${stranger}]`, ids[stranger] ?? 0)
  }
}

/** Tools of several upstreams of a model may differ: all that a request needs have to be allowed for one of them. */
const refuseBuiltIns = (prompt: Prompt, { builtInTools }: ServedModel): void => {
  const native = prompt.type === 'chat' ? prompt.native : undefined
  const refused = native?.api === 'responses' ? native.builtInTools.find((tool) => !builtInTools?.has(tool)) : undefined
  if (refused === undefined) return
  throw ApiError.of('built_in_tool_not_allowed', { path: 'tools', value: refused }, { param: 'tools' })
}

const unknownId = (prompts: readonly RawPrompt[], vocabularyTokens: number): number | undefined => {
  for (const prompt of prompts) {
    const unknown = typeof prompt === 'string' ? undefined : prompt.find((id) => id >= vocabularyTokens)
    if (unknown !== undefined) return unknown
  }
  return undefined
}

const unsupported = (path: string): ApiError => ApiError.of('unsupported_parameter', { path }, { param: path })

const unknownToken = (path: string, id: number): ApiError =>
  ApiError.of('invalid_token_id', { path, id }, { param: path })
