import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import { type ChatRequest, contentText } from './build-request.ts'

/** The APIs that a request can be shown in. */
export const codeDialects = ['chat', 'responses', 'messages', 'completions'] as const
export type CodeDialect = (typeof codeDialects)[number]

/** A request in one of the APIs: where it goes, which library sends it, and how a program reads its stream. */
export type DialectRequest = {
  path: string
  library: 'openai' | 'anthropic'
  /** The method of the client, the same in both languages. */
  method: string
  body: { model: string } & Record<string, unknown>
  /** What the loop over its events does. */
  python: string
  typescript: string
}

/** What an API has no field for is left out. */
export const inDialect = (request: ChatRequest, dialect: CodeDialect): DialectRequest => {
  switch (dialect) {
    case 'chat':
      return chat(request)
    case 'responses':
      return responses(withoutMedia(request))
    case 'messages':
      return messages(withoutMedia(request))
    case 'completions':
      return completions(withoutMedia(request))
  }
}

/** Each API has its own parts for images and audio; the code shows them in one. */
type TextRequest = Omit<ChatRequest, 'messages'> & { messages: readonly TextMessage[] }
type TextMessage = Exclude<ChatRequest['messages'][number], { role: 'user' }> | { role: 'user'; content: string }

const withoutMedia = (request: ChatRequest): TextRequest => ({
  ...request,
  messages: request.messages.map((message) =>
    message.role === 'user' ? { role: 'user', content: contentText(message.content) } : message,
  ),
})

const chat = (request: ChatRequest): DialectRequest => ({
  path: '/chat/completions',
  library: 'openai',
  method: 'chat.completions.create',
  body: request,
  python:
    request.tools === undefined
      ? '    if event.choices:\n        print(event.choices[0].delta.content or "", end="", flush=True)\n'
      : pythonWithTools,
  typescript:
    request.tools === undefined
      ? "  process.stdout.write(event.choices[0]?.delta.content ?? '')\n"
      : typescriptWithTools,
})

const responses = (request: TextRequest): DialectRequest => {
  const {
    model,
    messages: all,
    tools,
    tool_choice,
    response_format,
    max_completion_tokens,
    reasoning_effort: effort,
    temperature,
    top_p,
  } = request
  const input = all.flatMap((message): object[] => {
    if (message.role === 'tool')
      return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }]
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    return [
      ...(message.content === null || message.role === 'system'
        ? []
        : [{ role: message.role, content: message.content }]),
      ...calls.map(({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called })),
    ]
  })
  const format = response_format && { format: { type: 'json_schema', ...response_format.json_schema } }
  return {
    path: '/responses',
    library: 'openai',
    method: 'responses.create',
    body: {
      model,
      ...defined({ instructions: systemPrompt(request), input, temperature, top_p }),
      ...defined({ max_output_tokens: max_completion_tokens, tools: tools?.map(flatTool), tool_choice, text: format }),
      ...defined({ reasoning: effort && { effort } }),
      stream: true,
    },
    python: '    if event.type == "response.output_text.delta":\n        print(event.delta, end="", flush=True)\n',
    typescript: "  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta)\n",
  }
}

/** Messages need a token limit. */
const usualMaxTokens = 1024

const messages = (request: TextRequest): DialectRequest => {
  const { model, messages: all, tools, tool_choice, max_completion_tokens, temperature, top_p, stop } = request
  const turns = all.flatMap((message): object[] => {
    if (message.role === 'system') return []
    if (message.role === 'tool') {
      const result = { type: 'tool_result', tool_use_id: message.tool_call_id, content: message.content }
      return [{ role: 'user', content: [result] }]
    }
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    if (calls.length === 0) return [{ role: message.role, content: message.content ?? '' }]
    const uses = calls.map(({ id, function: called }) => ({
      ...{ type: 'tool_use', id, name: called.name },
      input: parsed(called.arguments),
    }))
    const text = message.content === null ? [] : [{ type: 'text', text: message.content }]
    return [{ role: 'assistant', content: [...text, ...uses] }]
  })
  const choice = tool_choice === undefined ? undefined : { type: tool_choice === 'required' ? 'any' : tool_choice }
  return {
    path: '/messages',
    library: 'anthropic',
    method: 'messages.create',
    body: {
      model,
      max_tokens: max_completion_tokens ?? usualMaxTokens,
      ...defined({ system: systemPrompt(request), messages: turns, temperature, top_p, stop_sequences: stop }),
      ...defined({ tools: tools?.map(anthropicTool), tool_choice: choice, output_config: effortOf(request) }),
      stream: true,
    },
    python:
      '    if event.type == "content_block_delta" and event.delta.type == "text_delta":\n        print(event.delta.text, end="", flush=True)\n',
    typescript:
      "  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')\n    process.stdout.write(event.delta.text)\n",
  }
}

/** Without a conversation: the last message is the text that the model continues. */
const completions = (request: TextRequest): DialectRequest => {
  const {
    model,
    messages: all,
    max_completion_tokens,
    temperature,
    top_p,
    presence_penalty,
    frequency_penalty,
  } = request
  const { seed, stop } = request
  return {
    path: '/completions',
    library: 'openai',
    method: 'completions.create',
    body: {
      model,
      prompt: all.findLast(({ role }) => role === 'user')?.content ?? '',
      ...defined({ max_tokens: max_completion_tokens, temperature, top_p, presence_penalty, frequency_penalty }),
      ...defined({ seed, stop }),
      stream: true,
    },
    python: '    print(event.choices[0].text, end="", flush=True)\n',
    typescript: "  process.stdout.write(event.choices[0]?.text ?? '')\n",
  }
}

/** It has no word for less than low. */
const effortOf = ({ reasoning_effort: effort }: TextRequest): object | undefined =>
  effort === undefined || effort === 'none' || effort === 'minimal' ? undefined : { effort }

const systemPrompt = ({ messages: all }: TextRequest): string | undefined =>
  all.find(({ role }) => role === 'system')?.content ?? undefined

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Tools are what the reader typed: at least an object. */
const readFunction = (tool: unknown): Record<string, unknown> => Object(Reflect.get(Object(tool), 'function'))

const flatTool = (tool: unknown): object => ({ type: 'function', ...readFunction(tool) })

const anthropicTool = (tool: unknown): object => {
  const { name, description, parameters } = readFunction(tool)
  return { name, ...defined({ description }), input_schema: parameters ?? { type: 'object' } }
}

const parsed = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return {}
  }
}

/** Text and the arguments of calls as they come; the end of a stream has neither. */
const pythonWithTools = `    if event.choices:
        delta = event.choices[0].delta
        print(delta.content or "", end="", flush=True)
        for call in delta.tool_calls or []:
            print(call.function.name or "", call.function.arguments or "", end="", flush=True)
`
const typescriptWithTools = `  const delta = event.choices[0]?.delta
  process.stdout.write(delta?.content ?? '')
  for (const call of delta?.tool_calls ?? [])
    process.stdout.write(\`\${call.function?.name ?? ''} \${call.function?.arguments ?? ''}\`)
`
