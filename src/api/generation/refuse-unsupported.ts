import { ApiError } from '../../base/api-error.ts'
import type { EngineFeature, ServedModel } from '../../engine/contract.ts'
import type { ChatRequest, RawPrompt } from '../chat-completions/request/request.ts'
import type { AnswerFormat } from '../chat-completions/request/response-format.ts'
import type { Calling } from '../chat-completions/request/tool-choice.ts'
import type { FormatSource } from './compile/grammar-source.ts'
import type { Dialect } from './dialect.ts'
import { refuseMedia } from './media/refuse-media.ts'

/** The schemas themselves are checked later. */
type CheckedRequest = Omit<ChatRequest, 'grammar' | 'calling' | 'format'> & {
  calling: Pick<Calling, 'legacy'> | null
  format: Pick<AnswerFormat, 'field'> & { source: { type: FormatSource['type'] } | null }
}

/** Fields that not every engine accepts, and when they are used. `accepted`: the name in `acceptedFields`, if another. */
type Need = {
  field: string | ((request: CheckedRequest) => string)
  accepted?: string
  /** Null: every engine that does not list its fields accepts it. */
  feature: EngineFeature | null
  asked(request: CheckedRequest): boolean
}
const jsonTypes: readonly (string | undefined)[] = ['object', 'schema', 'schema_text']
const isJson = ({ source }: CheckedRequest['format']): boolean => jsonTypes.includes(source?.type)
const needs: Need[] = [
  { field: 'tools', feature: 'tools', asked: ({ calling }) => calling !== null && !calling.legacy },
  { field: 'functions', accepted: 'tools', feature: 'tools', asked: ({ calling }) => calling?.legacy === true },
  {
    field: 'messages',
    accepted: 'tools',
    feature: 'tools',
    asked: ({ messages }) => messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls),
  },
  {
    field: ({ format }) => format.field,
    accepted: 'response_format',
    feature: 'grammar',
    asked: ({ format }) => format.source !== null && isJson(format),
  },
  {
    field: ({ format }) => format.field,
    accepted: 'structured_outputs',
    feature: 'grammar',
    asked: ({ format }) => format.source !== null && !isJson(format),
  },
  { field: 'logprobs', feature: 'logprobs', asked: ({ sampling }) => sampling.topLogprobs !== null },
  { field: 'logit_bias', feature: 'token_ids', asked: ({ sampling }) => sampling.logitBias.length > 0 },
  { field: 'stop_token_ids', feature: 'token_ids', asked: ({ sampling }) => sampling.stopIds.length > 0 },
  { field: 'min_tokens', feature: 'token_ids', asked: ({ sampling }) => sampling.minTokens > 0 },
  { field: 'ignore_eos', feature: 'token_ids', asked: ({ sampling }) => sampling.ignoreEnd },
  { field: 'return_token_ids', feature: 'token_ids', asked: ({ returnTokenIds }) => returnTokenIds },
  {
    field: 'chat_template_kwargs',
    feature: 'template',
    asked: ({ templateVariables }) => Object.keys(templateVariables).length > 0,
  },
  { field: 'continue_final_message', feature: 'template', asked: ({ opening }) => opening === 'continue' },
  { field: 'add_generation_prompt', feature: 'template', asked: ({ opening }) => opening === 'none' },
  { field: 'seed', feature: null, asked: ({ sampling }) => sampling.seed !== null },
  { field: 'top_k', feature: null, asked: ({ sampling }) => sampling.topK !== null },
  { field: 'min_p', feature: null, asked: ({ sampling }) => sampling.minP !== null },
  { field: 'repetition_penalty', feature: null, asked: ({ sampling }) => sampling.repetitionPenalty !== null },
  { field: 'frequency_penalty', feature: null, asked: ({ sampling }) => sampling.frequencyPenalty !== 0 },
  { field: 'presence_penalty', feature: null, asked: ({ sampling }) => sampling.presencePenalty !== 0 },
]

/**
 * Refuses by name what the model or its engine cannot do, or none of the upstreams behind it. While that is unknown nothing is
 * refused: the engine then responds with `engine_loading`, and a later attempt gets the definite error.
 */
export const refuseUnsupported = (
  request: CheckedRequest,
  model: ServedModel,
  fieldNames: Dialect['fieldNames'],
): void => {
  const { alternatives = [] } = model
  if (!alternatives.some((one) => isSupported(request, one))) refuseBy(request, alternatives[0] ?? model, fieldNames)
}

/** Whether a single engine can do all that a request asks for. */
export const isSupported = (request: CheckedRequest, model: ServedModel): boolean => {
  try {
    refuseBy(request, model, {})
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

const refuseBy = (request: CheckedRequest, model: ServedModel, fieldNames: Dialect['fieldNames']): void => {
  const nameOf = (field: string): string => fieldNames[field] ?? field
  const { features, vocabularyTokens, acceptedFields } = model
  if (features === null) return
  refuseMedia(request.messages, features)
  const isMet = ({ field, accepted, feature }: Need): boolean => {
    if (acceptedFields === undefined) return feature === null || features.has(feature)
    return acceptedFields.has(accepted ?? String(field))
  }
  for (const need of needs)
    if (!isMet(need) && need.asked(request))
      throw unsupported(typeof need.field === 'string' ? nameOf(need.field) : need.field(request))
  const { sampling } = request
  if (vocabularyTokens === null) return
  for (const [id] of sampling.logitBias) if (id >= vocabularyTokens) throw unknownToken('logit_bias', id)
  const unknown = unknownId(request.rawPrompts ?? [], vocabularyTokens)
  if (unknown !== undefined) throw unknownToken(nameOf('messages'), unknown)
  const stranger = sampling.stopIds.findIndex((id) => id >= vocabularyTokens)
  if (stranger !== -1) throw unknownToken(`stop_token_ids[${stranger}]`, sampling.stopIds[stranger] ?? 0)
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
