import { randomBytes } from 'node:crypto'
import { quoteJson } from '../../base/quote-json.ts'
import type { FinishReason, Usage } from '../generation/answer/answer-part.ts'
import type { ContentLogprob } from '../generation/output/content-logprobs.ts'
import { contentLogprobJson, usageJson } from '../openai/answer-shapes.ts'
import type { CompletionHead } from './shapes.ts'

/** The choice that a chunk belongs to; `tokenIds` only if they were requested. */
export type ChunkOf = { choice: number; tokenIds?: readonly number[] }

type ChunksOptions = {
  includeUsage: boolean
  obfuscate: boolean
  logprobs: boolean
  /** Of every chunk, as of now; null: only at the end. */
  usage?: (() => Usage) | null
}

/**
 * Chunks as ready-made text. Everything but the delta is the same in every chunk of an answer, so it is written to JSON
 * once.
 */
export const createChunks = (head: CompletionHead, options: ChunksOptions) => {
  const { includeUsage, obfuscate, logprobs, usage: usageSoFar = null } = options
  const { id, created, model, fingerprint } = head
  const start = JSON.stringify({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: fingerprint,
  })
  const open = `${start.slice(0, -1)},"choices":`
  const plainClose = includeUsage ? ',"usage":null}' : '}'
  const close = (): string =>
    usageSoFar === null ? plainClose : `,"usage":${JSON.stringify(usageJson(usageSoFar()))}}`

  const chunk = ({ choice, tokenIds }: ChunkOf, delta: string, logprobsJson: string, reason: string): string => {
    const ids = tokenIds === undefined ? '' : `,"token_ids":${JSON.stringify(tokenIds)}`
    const padding = obfuscate ? `,"obfuscation":"${randomPadding(Buffer.byteLength(delta))}"` : ''
    const body = `"index":${choice},"delta":${delta},"logprobs":${logprobsJson},"finish_reason":${reason}${ids}`
    return `${open}[{${body}}]${padding}${close()}`
  }
  /** Of the first choice; null if more than the text differs from chunk to chunk. */
  const isSame = !obfuscate && !logprobs && usageSoFar === null
  const contentOpen = isSame ? `${open}[{"index":0,"delta":{"content":` : null
  const contentClose = `},"logprobs":null,"finish_reason":null}]${plainClose}`
  const writeDelta = (of: ChunkOf, delta: object): string => chunk(of, JSON.stringify(delta), 'null', 'null')
  const content = (of: ChunkOf, text: string, tokens: readonly ContentLogprob[]): string => {
    if (contentOpen !== null && of.choice === 0 && of.tokenIds === undefined)
      return contentOpen + quoteJson(text) + contentClose
    const logprobsJson = logprobs ? JSON.stringify({ content: tokens.map(contentLogprobJson), refusal: null }) : 'null'
    return chunk(of, `{"content":${JSON.stringify(text)}}`, logprobsJson, 'null')
  }

  return {
    /** `promptTokenIds` are sent once, with the first chunk of the answer. */
    role(of: ChunkOf, content: '' | null, promptTokenIds?: readonly number[]): string {
      const text = writeDelta(of, { role: 'assistant', content, refusal: null })
      return promptTokenIds === undefined
        ? text
        : `${text.slice(0, -1)},"prompt_token_ids":${JSON.stringify(promptTokenIds)}}`
    },
    content,
    /** A chunk for each piece of a text. */
    contents: (of: ChunkOf, pieces: readonly string[]): string[] => pieces.map((text) => content(of, text, [])),
    reasoning: (of: ChunkOf, text: string): string => writeDelta(of, { reasoning_content: text }),
    refusal: (of: ChunkOf, text: string): string => writeDelta(of, { refusal: text }),
    call: (of: ChunkOf, index: number, id: string, name: string): string =>
      writeDelta(of, { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    arguments: (of: ChunkOf, index: number, text: string): string =>
      writeDelta(of, { tool_calls: [{ index, function: { arguments: text } }] }),
    functionCall: (of: ChunkOf, name: string): string => writeDelta(of, { function_call: { name, arguments: '' } }),
    functionArguments: (of: ChunkOf, text: string): string => writeDelta(of, { function_call: { arguments: text } }),
    finish: (of: ChunkOf, reason: FinishReason): string => chunk(of, '{}', 'null', JSON.stringify(reason)),
    usage: (usage: Usage): string => `${open}[],"usage":${JSON.stringify(usageJson(usage))}}`,
  }
}

export type Chunks = ReturnType<typeof createChunks>

/** Fills a delta up to one of a few lengths, so that the length of an event does not reveal the token. */
const randomPadding = (length: number): string => {
  const missing = 32 - (length % 32)
  return randomBytes(missing).toString('base64url').slice(0, missing)
}
