import { asList, asObject, isObject, without } from './kind.ts'

/**
 * A valid body without anything beyond the official document: nulls that only the service accepts, fractional biases,
 * and fields of an answer that clients send back.
 */
export const narrowBody = (body: Record<string, unknown>): Record<string, unknown> => {
  const narrow = without(body, 'web_search_options', ...notNullable.filter((name) => body[name] === null))
  if (isObject(body.logit_bias)) narrow.logit_bias = rounded(body.logit_bias)
  return { ...narrow, messages: asList(body.messages).map((message) => narrowMessage(asObject(message))) }
}

const notNullable = [
  ...[
    'top_logprobs',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'functions',
    'function_call',
    'response_format',
    'user',
  ],
]

const rounded = (bias: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(bias).map(([id, value]) => [id, Math.round(Number(value))]))

const narrowMessage = (message: Record<string, unknown>): Record<string, unknown> => {
  const nulls = message.tool_calls === null ? ['tool_calls'] : []
  const narrow = without(message, 'reasoning_content', 'annotations', 'sender', 'reasoning', 'tool_name', ...nulls)
  if (narrow.role === 'assistant' && narrow.tool_calls === undefined) narrow.content ??= ''
  if (Array.isArray(narrow.content))
    narrow.content = narrow.content.map((part) => without(part, 'prompt_cache_breakpoint'))
  return narrow
}
