import { parseJsonText } from '../../base/parse-json-text.ts'
import type { ChatMessage, Conversation, FunctionTool, ToolCall } from '../contract.ts'
import { isObject } from '../json-file.ts'
import { TemplateRefused, type TemplateVariables } from './template.ts'

/** Applied to every external text before the template sees it. */
type OnText = (text: string) => string

type Shaped = Pick<Conversation, 'messages' | 'tools' | 'templateVariables' | 'opening'>

/**
 * Converts a conversation to the shapes that chat templates expect. They match OpenAI's with two exceptions: call
 * arguments are an object if possible, and reasoning is `reasoning_content`. Request variables come first, so they
 * cannot override the conversation. `lastEnd` is appended to the last message's content.
 */
export const templateVariables = (conversation: Shaped, onText: OnText, lastEnd = ''): TemplateVariables => {
  const { messages, tools, templateVariables: further, opening } = conversation
  return {
    ...mapTexts(Object.entries(further), (value) => jsonTexts(value, onText)),
    messages: messages.map((message, index) =>
      templateMessage(message, onText, index === messages.length - 1 ? lastEnd : ''),
    ),
    tools: tools.length === 0 ? null : tools.map((tool) => templateTool(tool, onText)),
    add_generation_prompt: opening === 'answer',
  }
}

const templateMessage = (message: ChatMessage, onText: OnText, end: string) => ({
  role: message.role,
  content: onText(message.content) + end,
  ...(message.name === undefined ? {} : { name: onText(message.name) }),
  ...(message.reasoning === undefined ? {} : { reasoning_content: onText(message.reasoning) }),
  ...(message.toolCalls === undefined || message.toolCalls.length === 0
    ? {}
    : { tool_calls: message.toolCalls.map((call) => templateCall(call, onText)) }),
  ...(message.toolCallId === undefined ? {} : { tool_call_id: onText(message.toolCallId) }),
})

const templateCall = ({ id, name, arguments: text }: ToolCall, onText: OnText) => ({
  id: onText(id),
  type: 'function',
  function: { name: onText(name), arguments: templateArguments(text, onText) },
})

/** Templates serialise an object as JSON themselves, but insert a string unchanged. */
const templateArguments = (text: string, onText: OnText): unknown => {
  const parsed = parseObject(text)
  return parsed === null ? onText(text) : jsonTexts(parsed, onText)
}

const parseObject = (text: string): Record<string, unknown> | null => {
  try {
    const value = parseJsonText(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const templateTool = ({ name, description, parameters }: FunctionTool, onText: OnText) => ({
  type: 'function',
  function: {
    name: onText(name),
    ...(description === null ? {} : { description: onText(description) }),
    ...(parameters === null ? {} : { parameters: jsonTexts(parseJsonText(parameters), onText) }),
  },
})

/** Replaces every string in a JSON value, including keys. */
const jsonTexts = (value: unknown, onText: OnText): unknown => {
  if (typeof value === 'string') return onText(value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item) => jsonTexts(item, onText))
  if (!isPlainObject(value)) throw new TemplateRefused('a template variable is not a JSON value')
  return mapTexts(
    Object.entries(value).map(([key, item]) => [onText(key), item]),
    (item) => jsonTexts(item, onText),
  )
}

const mapTexts = (entries: [string, unknown][], change: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(entries.map(([key, value]) => [key, change(value)]))

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
