import { parseJsonText } from '../../../src/base/parse-json-text.ts'
import { PlatformError, readErrorLimit } from '../../platform/platform-error.ts'

import { type ChunkTokens, readTokens, type TokenInfo } from './token-info.ts'

/** What one event of a streamed chat completion says about its first choice. */
export type AnswerEvent =
  /** Before the first of the stream: how the server names the request. */
  | { type: 'request'; id: string }
  | { type: 'text'; text: string }
  /** What the model reasons before it answers. */
  | { type: 'reasoning'; text: string }
  | { type: 'call'; index: number; id: string; name: string }
  | { type: 'arguments'; index: number; text: string }
  /** Of the text before it, if probabilities were asked for. */
  | { type: 'tokens'; tokens: readonly TokenInfo[] }
  | { type: 'finish'; reason: string }
  | { type: 'usage'; promptTokens: number; completionTokens: number }

type Chunk = {
  error?: { message: string; code: string | null; param: string | null; limit?: unknown }
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  choices?: readonly Choice[]
}
type Choice = {
  delta: Delta
  finish_reason: string | null
  logprobs?: { content: ChunkTokens | null } | null
  token_ids?: readonly number[]
}
type Delta = {
  content?: string | null
  reasoning_content?: string | null
  tool_calls?: readonly { index: number; id?: string; function: { name?: string; arguments: string } }[]
}

/** The server's tests check every chunk against the specification, of which this is a part. */
const asChunk = (value: unknown): Chunk => value as Chunk

export function* readChunk(data: string, requestId: string | null): Generator<AnswerEvent, void> {
  const { error, usage, choices } = asChunk(parseJsonText(data))
  if (error !== undefined)
    throw new PlatformError({
      status: 500,
      code: error.code ?? 'server_fault',
      message: error.message,
      param: error.param,
      requestId,
      limit: readErrorLimit(error.limit),
    })
  const [choice] = choices ?? []
  if (choice !== undefined) {
    const { content, reasoning_content: reasoning, tool_calls = [] } = choice.delta
    if (reasoning) yield { type: 'reasoning', text: reasoning }
    if (content) yield { type: 'text', text: content }
    const tokens = choice.logprobs?.content ?? []
    if (tokens.length > 0) yield { type: 'tokens', tokens: readTokens(tokens, choice.token_ids ?? []) }
    for (const { index, id, function: called } of tool_calls) {
      if (id !== undefined) yield { type: 'call', index, id, name: called.name ?? '' }
      if (called.arguments !== '') yield { type: 'arguments', index, text: called.arguments }
    }
    if (choice.finish_reason !== null) yield { type: 'finish', reason: choice.finish_reason }
  }
  if (usage) yield { type: 'usage', promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens }
}
