import type { ApiError } from '../../base/api-error.ts'
import type { Usage } from '../generation/answer/answer-part.ts'
import type { OutputItem } from './items.ts'
import type { TextFormatJson } from './request/text-format.ts'
import type { ToolChoiceJson } from './request/tool-choice.ts'
import type { ToolJson } from './request/tools.ts'

/** What a response repeats of its request. */
export type ResponseEchoes = {
  instructions: string | null
  max_output_tokens: number | null
  max_tool_calls: number | null
  parallel_tool_calls: boolean
  previous_response_id: string | null
  prompt_cache_key: string | null
  prompt_cache_retention: string | null
  reasoning: { effort: string | null; summary: string | null }
  safety_identifier: string | null
  temperature: number | null
  text: { format: TextFormatJson; verbosity: 'low' | 'medium' | 'high' }
  tool_choice: ToolChoiceJson
  tools: readonly (ToolJson | Readonly<Record<string, unknown>>)[]
  top_logprobs: number
  top_p: number | null
  truncation: 'auto' | 'disabled'
  user?: string
  metadata: Record<string, string>
}

/** `created` and `completed_at` are Unix seconds. */
export type ResponseHead = { id: string; created: number; model: string; echoes: ResponseEchoes }

type ResponseUsageJson = ReturnType<typeof responseUsageJson>

export const responseUsageJson = ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage) => ({
  input_tokens: promptTokens,
  input_tokens_details: { cache_write_tokens: 0, cached_tokens: cachedTokens },
  output_tokens: completionTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens },
  total_tokens: promptTokens + completionTokens,
})

export type ResponseErrorJson = { code: 'server_error' | 'rate_limit_exceeded' | 'invalid_prompt'; message: string }

/** The official service has only these codes for a response that fails while it is generated. */
export const responseErrorJson = (error: ApiError): ResponseErrorJson => ({
  code: error.status === 429 ? 'rate_limit_exceeded' : error.status < 500 ? 'invalid_prompt' : 'server_error',
  message: error.message.toWellFormed(),
})

/** How far a response has come. */
export type ResponseState = {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  output: OutputItem[]
  usage: ResponseUsageJson | null
  completedAt: number | null
  error: ResponseErrorJson | null
  incompleteReason: 'max_output_tokens' | 'content_filter' | null
}

export type ResponseJson = ReturnType<typeof responseJson>

export const responseJson = ({ id, created, model, echoes }: ResponseHead, state: ResponseState) => {
  const { instructions, metadata, ...repeated } = echoes
  return {
    id,
    object: 'response' as const,
    created_at: created,
    status: state.status,
    background: false,
    access_programs: null,
    completed_at: state.completedAt,
    error: state.error,
    incomplete_details: state.incompleteReason === null ? null : { reason: state.incompleteReason },
    instructions,
    model,
    output: state.output,
    ...repeated,
    service_tier: 'default' as const,
    // The official service omits it until the response has ended.
    ...(state.usage === null ? {} : { usage: state.usage }),
    metadata,
  }
}
