import { ApiError } from '../../../base/api-error.ts'
import type { ToolCall } from '../../../engine/contract.ts'
import { array, isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { Problem, wrongType } from '../../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField, byType } from '../../../http/schema/variants.ts'
import { readImage } from '../../generation/request/media/read-media.ts'
import { mediaPart, type UnreadPart, under } from '../../generation/request/media/unread-part.ts'
import { ignored } from '../../generation/request/read-fields.ts'
import { imageMark } from '../../generation/request/result-images.ts'

/** The content of a message: a text, or blocks of which the model sees text, images, calls, their results and reasoning. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call'; call: ToolCall }
  | ({ type: 'result'; callId: string } & ResultContent)
  | UnreadPart
  /** Not shown to the model. */
  | { type: 'nothing' }

/** The text of a result, with a mark in place of each image, and these with their place in its list. */
type ResultContent = { content: string; images: readonly { place: number; image: UnreadPart }[] }

const key = optional(ignored)
const maxBlocks = 10_000

const textFields = object({ type: oneOf('text'), text: string(), cache_control: key, citations: key })
const text: Schema<Block> = schema(textFields.json, (value) => ({ type: 'text', text: textFields(value).text }))

/** A block that other models understand: refused by name, never dropped silently. */
const unserved = (type: string): Schema<never> =>
  schema({ not: {}, description: `Blocks of type ${type} are not supported.` }, () => {
    throw new Problem((path) => ApiError.of('unsupported_value', { path, value: type }, { param: path })).under('type')
  })

const source = byField('type', {
  base64: object({ type: oneOf('base64'), media_type: string({ maxLength: 64 }), data: string() }),
  url: object({ type: oneOf('url'), url: string() }),
  file: unserved('file'),
})
const image = mediaPart('image', object({ type: oneOf('image'), source, cache_control: key }), ({ source: sent }) =>
  under('source', () =>
    sent.type === 'url'
      ? under('url', () => readImage(sent.url))
      : under('data', () => readImage(`data:${sent.media_type};base64,${sent.data}`)),
  ),
)

const joined = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

const textOr = (blocks: Schema<Block[]>): Schema<string> =>
  byType('one of a string or array of objects', {
    string: string(),
    array: schema(blocks.json, (value) => joined(blocks(value))),
  })

const resultBlocks = array(
  byField('type', {
    text,
    image,
    document: unserved('document'),
    search_result: unserved('search_result'),
    tool_reference: unserved('tool_reference'),
  }),
  { max: maxBlocks },
)
const resultContent: Schema<ResultContent> = byType('one of a string or array of objects', {
  string: schema(string().json, (value) => ({ content: string()(value), images: [] })),
  array: schema(resultBlocks.json, (value) => {
    const blocks: readonly Block[] = resultBlocks(value)
    const marked = blocks.map((block): Block => (block.type === 'unread' ? { type: 'text', text: imageMark } : block))
    const images = blocks.flatMap((block, place) => (block.type === 'unread' ? [{ place, image: block }] : []))
    return { content: joined(marked), images }
  }),
})
const resultFields = object({
  type: oneOf('tool_result'),
  tool_use_id: string({ minLength: 1 }),
  content: optional(nullable(resultContent)),
  is_error: optional(nullable(boolean)),
  cache_control: key,
  toolset_name: key,
})
const result: Schema<Block> = schema(resultFields.json, (value) => {
  const { tool_use_id: callId, content } = resultFields(value)
  return { type: 'result', callId, ...(content ?? { content: '', images: [] }) }
})

const anyObject: Schema<Record<string, unknown>> = schema({ type: 'object' }, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  return value
})
const useFields = object({
  type: oneOf('tool_use'),
  id: string({ minLength: 1 }),
  name: string({ minLength: 1 }),
  input: anyObject,
  cache_control: key,
  caller: key,
  toolset_name: key,
})
const use: Schema<Block> = schema(useFields.json, (value) => {
  const { id, name, input } = useFields(value)
  return { type: 'call', call: { id, name, arguments: JSON.stringify(input) } }
})

const thinkingFields = object({ type: oneOf('thinking'), thinking: string(), signature: key, cache_control: key })
const thinking: Schema<Block> = schema(thinkingFields.json, (value) => ({
  type: 'thinking',
  text: thinkingFields(value).thinking,
}))
const redactedFields = object({ type: oneOf('redacted_thinking'), data: string() })
const redacted: Schema<Block> = schema(redactedFields.json, (value) => {
  redactedFields(value)
  return { type: 'nothing' }
})

const content = (blocks: Schema<Block>): Schema<Block[]> =>
  byType('one of a string or array of objects', {
    string: schema(string().json, (value): Block[] => [{ type: 'text', text: string()(value) }]),
    array: array(blocks, { max: maxBlocks }),
  })

export const userContent = content(
  byField('type', {
    text,
    tool_result: result,
    image,
    document: unserved('document'),
    search_result: unserved('search_result'),
    container_upload: unserved('container_upload'),
  }),
)
export const assistantContent = content(
  byField('type', {
    text,
    tool_use: use,
    thinking,
    redacted_thinking: redacted,
    server_tool_use: unserved('server_tool_use'),
    web_search_tool_result: unserved('web_search_tool_result'),
  }),
)
/** Of the system prompt. */
export const systemContent = textOr(array(byField('type', { text }), { max: maxBlocks }))
