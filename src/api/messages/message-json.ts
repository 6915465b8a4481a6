import type { Finish, Usage } from '../generation/answer/answer-part.ts'

/** The JSON of responses. Keys are in the order of the official service. */
export type MessageHead = { id: string; model: string }

export type ContentBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: object; caller: { type: 'direct' } }

type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal'

export type MessageEnd = { stop_reason: StopReason | null; stop_sequence: string | null }

export const messageJson = (
  { id, model }: MessageHead,
  content: readonly ContentBlock[],
  end: MessageEnd,
  usage: Usage,
) => ({
  id,
  type: 'message' as const,
  role: 'assistant' as const,
  model,
  content,
  ...end,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: {
    ...usageJson(usage),
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    inference_geo: null,
    service_tier: 'standard' as const,
    speed: null,
  },
})

/** Tokens that were read from the cache are counted apart from the others. */
export const usageJson = ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage) => ({
  input_tokens: promptTokens - cachedTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cachedTokens,
  output_tokens: completionTokens,
  output_tokens_details: { thinking_tokens: reasoningTokens },
  server_tool_use: null,
})

export const messageEnd = (
  { reason, stopText }: Finish,
  answered: { calls: boolean; refusal: boolean },
): MessageEnd => {
  if (reason === 'content_filter' || answered.refusal) return { stop_reason: 'refusal', stop_sequence: null }
  if (reason === 'length') return { stop_reason: 'max_tokens', stop_sequence: null }
  if (stopText !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopText }
  return { stop_reason: answered.calls ? 'tool_use' : 'end_turn', stop_sequence: null }
}
