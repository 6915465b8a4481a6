import { isRecord } from '../../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../../src/base/parse-json-text.ts'
import type { UsableModel } from '../../../../../src/platform/contract/models.ts'
import type { RequestEndpoint } from '../../../../../src/platform/contract/request-kinds.ts'

/** The endpoint whose form a body has. */
export type RequestDialect = Exclude<RequestEndpoint, 'playground'>

export type RequestBody = Readonly<Record<string, unknown>>

/** A stored body; null if it was truncated and is no longer JSON, or no object. */
export const readBody = (text: string): RequestBody | null => {
  try {
    const read = parseJsonText(text)
    return isRecord(read) ? read : null
  } catch {
    return null
  }
}

/** Calls through the session are recorded as those of the playground, whichever endpoint they were for: their fields tell. */
export const dialectOf = (
  endpoint: RequestEndpoint,
  body: RequestBody,
  models: readonly Pick<UsableModel, 'id' | 'kind'>[],
): RequestDialect => {
  if (endpoint !== 'playground') return endpoint
  if ('messages' in body) return isAnthropic(body) ? 'messages' : 'chat.completions'
  if ('query' in body) return 'rerank'
  if ('queries' in body || 'text_1' in body) return 'score'
  if ('prompt' in body) return 'completions'
  return models.find(({ id }) => id === body.model)?.kind === 'embedding' ? 'embeddings' : 'responses'
}

const anthropicFields = ['system', 'stop_sequences', 'thinking', 'output_config', 'output_format']
const anthropicBlocks: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking', 'image'])

/** What both accept alike may be either. */
const isAnthropic = ({ messages, tools, ...body }: RequestBody): boolean =>
  anthropicFields.some((name) => name in body) ||
  (Array.isArray(tools) && tools.some((tool) => isRecord(tool) && 'input_schema' in tool)) ||
  (Array.isArray(messages) && messages.some((message) => isRecord(message) && hasAnthropicBlock(message.content)))

const hasAnthropicBlock = (content: unknown): boolean =>
  Array.isArray(content) && content.some((block) => isRecord(block) && anthropicBlocks.has(block.type))
