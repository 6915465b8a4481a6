import { asList, asObject, isObject, without } from './kind.ts'

/**
 * A valid body without anything beyond the official document: nulls that only the service accepts, fractional biases,
 * and fields of an answer that clients send back.
 */
export const narrowBody = (body: Record<string, unknown>): Record<string, unknown> => {
  const narrow = without(body, 'web_search_options', ...notNullable.filter((name) => body[name] === null))
  if (isObject(body.logit_bias)) narrow.logit_bias = rounded(body.logit_bias)
  for (const name of ['stream_options', 'prompt_cache_options'])
    if (isObject(narrow[name])) narrow[name] = withoutNulls(narrow[name])
  if (Array.isArray(narrow.functions)) narrow.functions = narrow.functions.map((one) => withoutNulls(asObject(one)))
  if (Array.isArray(narrow.tools)) narrow.tools = narrow.tools.map((tool) => narrowMember(asObject(tool), 'function'))
  if (isObject(narrow.response_format)) narrow.response_format = narrowMember(narrow.response_format, 'json_schema')
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
    'prompt_cache_options',
  ],
]

/** Members of tools and formats may be null here where the document has them absent; `strict` may be null in both. */
const withoutNulls = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name, member]) => member !== null || name === 'strict'))

const narrowMember = (value: Record<string, unknown>, name: string): Record<string, unknown> =>
  isObject(value[name]) ? { ...value, [name]: withoutNulls(value[name]) } : value

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
