import type { NativeMessages } from '../../../engine/contract.ts'
import { isObject } from '../../../http/schema/containers.ts'

/** A longer prompt is translated: it would be kept twice. */
const maxCharacters = 2_000_000

/** What the neutral form of a request does not have. Most requests have none of it. */
const nativeNames = ['"cache_control"', '"thinking"', '"redacted_thinking"', '"is_error"', '"user_id"', '"effort"']

/** Only the fields that are named here are passed on: an API of this form refuses those that it does not know. */
const blockFields: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
}
const toolFields = ['name', 'description', 'input_schema', 'strict', 'cache_control']

type Fields = Record<string, unknown>

/**
 * The prompt of a body that was found valid, for upstreams that have the same API: with its cache marks, signed reasoning and what
 * else is lost in translation. Undefined if nothing would be. `bytes`: the body.
 */
export const nativeMessages = (sent: Fields, bytes: Uint8Array): NativeMessages | undefined => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length > maxCharacters) return undefined
  if (!nativeNames.some((name) => text.includes(name)) && !mayHaveResultImages(text)) return undefined
  const messages = listOf(sent.messages)
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => ({ role, content: contentOf(content) }))
  const { system, tools, thinking, metadata, cache_control: mark, output_config: config } = sent
  // Instructions in the middle have another place here. What such an API would refuse, translation can mend.
  if (messages.length !== listOf(sent.messages).length || !messages.every(isAcceptable)) return undefined
  return {
    api: 'messages',
    members: {
      messages: JSON.stringify(messages),
      ...memberOf('system', system === '' ? undefined : contentOf(system)),
      ...memberOf('tools', Array.isArray(tools) ? listOf(tools).map((tool) => pick(tool, toolFields)) : undefined),
      ...memberOf('metadata', metadata),
      ...memberOf('cache_control', mark),
    },
    thinking: isObject(thinking) && continuesReasoning(messages) ? JSON.stringify(thinking) : null,
    thinkingBudget: isObject(thinking) && typeof thinking.budget_tokens === 'number' ? thinking.budget_tokens : 0,
    effort: isObject(config) && typeof config.effort === 'string' ? config.effort : null,
  }
}

/** Other APIs have images of results elsewhere. */
const mayHaveResultImages = (text: Buffer): boolean => text.includes('"tool_result"') && text.includes('"image"')

const memberOf = (name: string, value: unknown): Record<string, string> =>
  value === undefined || value === null ? {} : { [name]: JSON.stringify(value) }

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])

const contentOf = (content: unknown): unknown => {
  if (!Array.isArray(content)) return content
  return listOf(content).flatMap((block) => {
    const kept = pick(block, blockFields[String(block.type)] ?? [])
    if (kept.type === 'text' && typeof kept.text === 'string' && kept.text.trim() === '') return []
    if (kept.type === 'thinking' && !isSigned(kept)) return []
    if (kept.type === 'tool_result') return [{ ...kept, content: contentOf(kept.content) ?? '' }]
    return [kept]
  })
}

/** Reasoning of other models has the id of its answer in this place, which no provider accepts. */
const isSigned = ({ signature }: Fields): boolean =>
  typeof signature === 'string' && signature !== '' && !signature.startsWith('msg')

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined || fields[name] === null ? [] : [[name, fields[name]]])),
  )

/** After the results of calls, an answer can think only if the reasoning before the calls is there, with its signature. */
const continuesReasoning = (messages: readonly { role: unknown; content: unknown }[]): boolean => {
  const [before, last] = messages.slice(-2)
  const hasResults = last?.role === 'user' && listOf(last.content).some(({ type }) => type === 'tool_result')
  if (!hasResults) return true
  const [first] = listOf(before?.content)
  return first?.type === 'thinking' || first?.type === 'redacted_thinking'
}

/** Nothing is empty, and ids have only letters, digits, `_` and `-`. */
const isAcceptable = ({ content }: { content: unknown }): boolean => {
  if (typeof content === 'string') return content.trim() !== ''
  const blocks = listOf(content)
  return blocks.length > 0 && blocks.every(({ id, tool_use_id: of }) => isId(id) && isId(of))
}

const isId = (id: unknown): boolean => typeof id !== 'string' || /^[\w-]+$/.test(id)
