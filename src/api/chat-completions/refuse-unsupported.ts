import { ApiError } from '../../base/api-error.ts'
import type { EngineFeature, ServedModel } from '../../engine/contract.ts'
import type { ChatRequest } from './request/request.ts'

/** The schemas themselves are checked later. */
type CheckedRequest = Omit<ChatRequest, 'grammar'>

/** Fields that require a feature which not every engine has, and when they do. */
type Need = [
  field: string | ((request: CheckedRequest) => string),
  feature: EngineFeature,
  asked: (request: CheckedRequest) => boolean,
]
const needs: Need[] = [
  ['tools', 'tools', ({ calling }) => calling !== null && !calling.legacy],
  ['functions', 'tools', ({ calling }) => calling?.legacy === true],
  ['messages', 'tools', ({ messages }) => messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls)],
  [({ format }) => format.field, 'grammar', ({ format }) => format.isConstrained],
  ['logprobs', 'logprobs', ({ sampling }) => sampling.topLogprobs !== null],
  ['logit_bias', 'token_ids', ({ sampling }) => sampling.logitBias.length > 0],
  ['stop_token_ids', 'token_ids', ({ sampling }) => sampling.stopIds.length > 0],
  ['min_tokens', 'token_ids', ({ sampling }) => sampling.minTokens > 0],
  ['ignore_eos', 'token_ids', ({ sampling }) => sampling.ignoreEnd],
  ['return_token_ids', 'token_ids', ({ returnTokenIds }) => returnTokenIds],
  ['chat_template_kwargs', 'template', ({ templateVariables }) => Object.keys(templateVariables).length > 0],
  ['continue_final_message', 'template', ({ opening }) => opening === 'continue'],
  ['add_generation_prompt', 'template', ({ opening }) => opening === 'none'],
]

/**
 * Refuses by name what the model or its engine cannot do. While that is unknown nothing is refused: the engine then responds
 * with `engine_loading`, and a later attempt gets the definite error.
 */
export const refuseUnsupported = (request: CheckedRequest, { features, vocabularyTokens }: ServedModel): void => {
  if (features === null) return
  for (const [field, feature, asked] of needs)
    if (!features.has(feature) && asked(request)) throw unsupported(typeof field === 'string' ? field : field(request))
  const { reasoningEffort, sampling } = request
  const isDefault = reasoningEffort === undefined || reasoningEffort === null || reasoningEffort === 'medium'
  if (!isDefault && reasoningEffort !== 'none' && !features.has('reasoning'))
    throw ApiError.of(
      'unsupported_value',
      { path: 'reasoning_effort', value: reasoningEffort },
      { param: 'reasoning_effort' },
    )
  if (vocabularyTokens === null) return
  for (const [id] of sampling.logitBias) if (id >= vocabularyTokens) throw unknownToken('logit_bias', id)
  const stranger = sampling.stopIds.findIndex((id) => id >= vocabularyTokens)
  if (stranger !== -1) throw unknownToken(`stop_token_ids[${stranger}]`, sampling.stopIds[stranger] ?? 0)
}

const unsupported = (path: string): ApiError => ApiError.of('unsupported_parameter', { path }, { param: path })

const unknownToken = (path: string, id: number): ApiError =>
  ApiError.of('invalid_token_id', { path, id }, { param: path })
