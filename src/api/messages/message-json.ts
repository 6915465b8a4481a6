import type { ChoiceJson, Usage } from '../chat-completions/shapes.ts'
import type { FinishEvent } from '../generation/output/choice.ts'

/** The JSON of responses. Keys are in the order of the official service. */
export type MessageHead = { id: string; model: string }

type ContentBlock =
  | { type: 'thinking'; thinking: string; signature: string }
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

export const contentOf = ({ message }: ChoiceJson, signature: string): ContentBlock[] => {
  const { reasoning_content: thinking, tool_calls: calls = [] } = message
  const text = message.content ?? message.refusal ?? ''
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking, signature }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, function: called }) => toolUse(id, called.name, parseInput(called.arguments))),
  ]
}

export const toolUse = (callId: string, name: string, input: object) => ({
  type: 'tool_use' as const,
  id: callId.replace(/^call_/, 'toolu_'),
  name,
  input,
  caller: { type: 'direct' as const },
})

/** A call that the token limit cuts off has no complete input. */
const parseInput = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

export const endOf = (
  { reason, stopText }: Pick<FinishEvent, 'reason' | 'stopText'>,
  answered: { calls: boolean; refusal: boolean },
): MessageEnd => {
  if (reason === 'content_filter' || answered.refusal) return { stop_reason: 'refusal', stop_sequence: null }
  if (reason === 'length') return { stop_reason: 'max_tokens', stop_sequence: null }
  if (stopText !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopText }
  return { stop_reason: answered.calls ? 'tool_use' : 'end_turn', stop_sequence: null }
}
