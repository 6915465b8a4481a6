import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage, ContentPart } from '../../../engine/contract.ts'
import { array, object } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { oneOf } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import { assistantContent, type Block, systemContent, userContent } from './blocks.ts'

/** The messages of a request as the engine expects them: the results of tools become messages of their own. */
const userFields = object({ role: oneOf('user'), content: userContent })
const assistantFields = object({ role: oneOf('assistant'), content: assistantContent })
const systemFields = object({ role: oneOf('system'), content: systemContent })

/** The index is that of the message in the request, for errors about its images. */
type ReadMessage = (index: number) => ChatMessage[]

const message: Schema<ReadMessage> = byField('role', {
  user: schema(userFields.json, (value): ReadMessage => {
    const { content } = userFields(value)
    return (index) => userMessages(content, index)
  }),
  assistant: schema(assistantFields.json, (value): ReadMessage => {
    const { content } = assistantFields(value)
    return () => [assistantMessage(content)]
  }),
  system: schema(systemFields.json, (value): ReadMessage => {
    const { content } = systemFields(value)
    return () => [{ role: 'system', content }]
  }),
})

const joinText = (blocks: readonly Block[], type: 'text' | 'thinking'): string =>
  blocks.flatMap((block) => (block.type === type ? [block.text] : [])).join('\n')

/** A message without text and images has only results. */
const userMessages = (blocks: readonly Block[], index: number): ChatMessage[] => {
  const results = blocks.flatMap((block): ChatMessage[] =>
    block.type === 'result' ? [{ role: 'tool', content: block.content, toolCallId: block.callId }] : [],
  )
  const content = joinText(blocks, 'text')
  const parts = [...resultImages(blocks, index), ...contentParts(blocks, index)]
  if (parts.some(({ type }) => type !== 'text')) return [...results, { role: 'user', content, parts }]
  const hasText = results.length === 0 || blocks.some(({ type }) => type === 'text')
  return hasText ? [...results, { role: 'user', content }] : results
}

/** Those of results come first: they belong to what was before. */
const resultImages = (blocks: readonly Block[], index: number): ContentPart[] =>
  blocks.flatMap((block, outer) =>
    block.type === 'result'
      ? block.images.map(({ place, image }) => image.read(['messages', index, 'content', outer, 'content', place]))
      : [],
  )

const contentParts = (blocks: readonly Block[], index: number): ContentPart[] =>
  blocks.flatMap((block, place): ContentPart[] => {
    if (block.type === 'text') return [block]
    return block.type === 'unread' ? [block.read(['messages', index, 'content', place])] : []
  })

const assistantMessage = (blocks: readonly Block[]): ChatMessage => {
  const reasoning = joinText(blocks, 'thinking')
  const toolCalls = blocks.flatMap((block) => (block.type === 'call' ? [block.call] : []))
  return {
    role: 'assistant',
    content: joinText(blocks, 'text'),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  }
}

const list = array(message, { min: 1, max: 10_000 })

export const conversation: Schema<ChatMessage[]> = schema(list.json, (value) => {
  const read = list(value).map((messagesAt, index) => messagesAt(index))
  checkResults(read)
  return read.flat()
})

/** The results of calls are in the message that follows the calls. */
const checkResults = (read: readonly (readonly ChatMessage[])[]): void => {
  let open = new Set<string>()
  for (const [index, messages] of read.entries()) {
    const known = new Set(open)
    for (const { role, toolCallId = '' } of messages) {
      if (role !== 'tool') continue
      if (!known.has(toolCallId)) throw problem('unknown_tool_use_id', index, [toolCallId])
      open.delete(toolCallId)
    }
    if (open.size > 0) throw problem('tool_use_without_result', index - 1, [...open])
    open = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)))
  }
  if (open.size > 0) throw problem('tool_use_without_result', read.length - 1, [...open])
}

const problem = (
  name: 'unknown_tool_use_id' | 'tool_use_without_result',
  index: number,
  ids: readonly string[],
): Problem => {
  const path = `messages[${index}].content`
  const shown = ids.slice(0, 10).map((id) => id.slice(0, 64))
  return new Problem(() => ApiError.of(name, { path, ids: shown.join(', ') }, { param: path }))
}
