import { isRecord } from '../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import type { PlaygroundContent } from './draft-content.ts'
import { emptyState } from './playground-store.ts'
import { numberNames } from './settings.ts'
import { newAnswer, newTurnId, type Turn } from './turns.ts'

type Message = { role?: unknown; content?: unknown; tool_calls?: unknown; tool_call_id?: unknown }

/**
 * A stored chat request as the playground shows it: its last message is in the composer, ready to be sent again. What
 * the playground has no field for, such as images, is left out. Null if it is no chat request.
 */
export const contentOfRequest = (text: string): PlaygroundContent | null => {
  const request = parse(text)
  if (!isRecord(request) || !Array.isArray(request.messages)) return null
  const messages: Message[] = request.messages.filter(isRecord)
  const model = typeof request.model === 'string' ? request.model : ''
  const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer'
  const turns = readTurns(
    messages.filter((message) => !isInstruction(message)),
    model,
  )
  const last = turns.at(-1)
  return {
    model,
    system: messages.filter(isInstruction).map(messageText).join('\n\n'),
    draft: last?.kind === 'sent' ? last.text : '',
    turns: last?.kind === 'sent' ? turns.slice(0, -1) : turns,
    settings: readSettings(request),
    variables: {},
    saved: null,
    conversation: null,
  }
}

const readTurns = (messages: readonly Message[], model: string): Turn[] => {
  const results = new Map(
    messages.filter(({ role }) => role === 'tool').map((each) => [each.tool_call_id, messageText(each)]),
  )
  return messages.flatMap((message): Turn[] => {
    if (message.role === 'user') return [{ kind: 'sent', id: newTurnId(), text: messageText(message) }]
    if (message.role !== 'assistant') return []
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isRecord) : []
    return [
      {
        ...newAnswer({ model, isJson: false }),
        text: messageText(message),
        outcome: { kind: 'finished', reason: 'stop' },
        calls: calls.map(({ id, function: called }) => ({
          id: stringOrEmpty(id),
          name: isRecord(called) ? stringOrEmpty(called.name) : '',
          arguments: isRecord(called) ? stringOrEmpty(called.arguments) : '',
          result: results.get(id) ?? '',
        })),
      },
    ]
  })
}

const readSettings = (request: Record<string, unknown>): PlaygroundContent['settings'] => {
  const numbers = Object.fromEntries(
    numberNames.flatMap((name) => {
      const value = request[name] ?? (name === 'max_completion_tokens' ? request.max_tokens : undefined)
      return typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )
  const { stop, tools, tool_choice: choice, response_format: format } = request
  const stops =
    typeof stop === 'string' ? [stop] : Array.isArray(stop) ? stop.filter((each) => typeof each === 'string') : []
  const schema = isRecord(format) && isRecord(format.json_schema) ? format.json_schema.schema : undefined
  return {
    ...emptyState.settings,
    ...numbers,
    stop: stops.map((each) => each.replaceAll('\n', '\\n')).join('\n'),
    tools: Array.isArray(tools) && tools.length > 0 ? JSON.stringify(tools, null, 2) : '',
    toolChoice: choice === 'required' || choice === 'none' ? choice : 'auto',
    format: schema === undefined ? 'text' : 'schema',
    schema: schema === undefined ? '' : JSON.stringify(schema, null, 2),
  }
}

/** Parts that are no text have no place in a message of the playground. */
const messageText = ({ content }: Message): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) ? stringOrEmpty(part.text) : '')).join('')
}

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}
const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
