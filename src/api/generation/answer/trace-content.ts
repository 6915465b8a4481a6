import { isRecord } from '../../../base/is-record.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { Attributes } from '../../../traces/span.ts'

/** Of the prompt and of the answer, each. */
const maxCharacters = 32_768

type Part = { type: string; content?: string; id?: string; name?: string; arguments?: string }
type Message = { role: string; parts: Part[]; finish_reason?: string }

/**
 * The texts of a request and its answer as the GenAI conventions write messages. Both are the copies that the request log keeps,
 * so that every endpoint has them. Of a prompt that is too long the end is kept; images and audio are only named.
 */
export const contentAttributes = (request: string, answer: string | null): Attributes => {
  const body = parse(request)
  const asked = isRecord(body) ? inputMessages(body) : null
  const system = isRecord(body) ? partsOf(body.system ?? body.instructions) : []
  return {
    'gen_ai.system_instructions': system.length === 0 ? undefined : written(system.map(cutPart(maxCharacters))),
    'gen_ai.input.messages': asked === null ? undefined : written(cutMessages(asked)),
    // A body that was cut is no JSON any more.
    'helix.request.body': asked === null ? request.slice(0, maxCharacters) : undefined,
    'gen_ai.output.messages': answer === null ? undefined : written(cutMessages(outputMessages(parse(answer)))),
  }
}

const written = (value: object): string => JSON.stringify(value)

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}

/** Null if it has nothing that is known to be a prompt. */
const inputMessages = ({ messages, input, prompt, query, documents }: Record<string, unknown>): Message[] | null => {
  const asked = messages ?? input ?? prompt
  if (typeof asked === 'string') return [{ role: 'user', parts: partsOf(asked) }]
  if (Array.isArray(asked)) return asked.map(toMessage)
  if (typeof query !== 'string') return null
  return [query, ...(Array.isArray(documents) ? documents : [])].map((text) => ({ role: 'user', parts: partsOf(text) }))
}

const toMessage = (item: unknown): Message => {
  if (!isRecord(item)) return { role: 'user', parts: partsOf(item) }
  const { role, content, tool_calls: calls, output, arguments: given, name } = item
  const called = Array.isArray(calls) ? calls.filter(isRecord).map(callPart) : []
  const own = typeof given === 'string' ? [{ type: 'tool_call', name: String(name), arguments: given }] : []
  const text = partsOf(content ?? output)
  return { role: typeof role === 'string' ? role : 'user', parts: [...text, ...own, ...called] }
}

const partsOf = (content: unknown): Part[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', content }]
  if (!Array.isArray(content)) return []
  return content.filter(isRecord).flatMap((part): Part[] => {
    if (typeof part.text === 'string') return [{ type: 'text', content: part.text }]
    const type = typeof part.type === 'string' ? part.type : 'text'
    return 'content' in part ? partsOf(part.content) : [{ type }]
  })
}

const callPart = ({ id, function: called }: Record<string, unknown>): Part => {
  const { name, arguments: given } = isRecord(called) ? called : {}
  return { type: 'tool_call', id: String(id), name: String(name), arguments: String(given) }
}

/** The choices of an answer, as `body-copy.ts` writes them. */
const outputMessages = (choices: unknown): Message[] =>
  (Array.isArray(choices) ? choices.filter(isRecord) : []).map(({ message, finish_reason: reason }) => {
    const sent = toMessage(message)
    const thought = isRecord(message) ? message.reasoning_content : null
    const reasoning: Part[] = typeof thought === 'string' ? [{ type: 'reasoning', content: thought }] : []
    return {
      ...sent,
      parts: [...reasoning, ...sent.parts],
      ...(typeof reason === 'string' && { finish_reason: reason }),
    }
  })

const cutPart =
  (characters: number) =>
  (part: Part): Part => ({
    ...part,
    ...(part.content === undefined ? {} : { content: part.content.slice(0, characters) }),
    ...(part.arguments === undefined ? {} : { arguments: part.arguments.slice(0, characters) }),
  })

/** The newest messages, as many as fit. */
const cutMessages = (messages: readonly Message[]): Message[] => {
  const kept: Message[] = []
  let left = maxCharacters
  for (const message of messages.toReversed()) {
    if (left <= 0) break
    kept.push({ ...message, parts: message.parts.map(cutPart(left)) })
    for (const { content = '', arguments: given = '' } of message.parts) left -= content.length + given.length + 1
  }
  return kept.reverse()
}
