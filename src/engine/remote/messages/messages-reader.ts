import type { Redact } from '../../../base/create-redactor.ts'
import { isRecord } from '../../../base/is-record.ts'
import type { EngineEvent } from '../../contract.ts'
import { type AnswerReader, createAnswerReader } from '../answer-reader.ts'
import { errorInside } from '../refusal.ts'

/** In one answer. Those of long reasoning have some thousand characters. */
const maxSignature = 200_000
const lastTypes: ReadonlySet<string> = new Set(['message_stop'])

/**
 * Reads the events of Anthropic's Messages API, or a whole message, as chunks of a chat completion. Events, blocks and deltas of
 * unknown types are left out: the API may add some at any time.
 */
export const createMessagesReader = (options: { redact: Redact; signatures?: boolean }): AnswerReader => {
  const { signatures = false } = options
  let signedChars = 0
  const sign = (part: unknown, events: EngineEvent[]): void => {
    const signature = signatures && isRecord(part) ? part.signature : undefined
    if (typeof signature !== 'string' || signature === '') return
    signedChars += signature.length
    // One that contains the upstream's key is none.
    if (signedChars > maxSignature || options.redact(signature) !== signature) return
    events.push({ type: 'reasoning', text: '', signature, tokens: 0 })
  }
  const reader = createAnswerReader({ logprobs: false, ...options })
  let counts: Record<string, unknown> = {}
  let isDone = false
  const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] })
  const countedChunk = (usage: unknown, delta: object, more: object = {}) => {
    if (isRecord(usage)) counts = { ...counts, ...usage }
    return { ...chunk(delta, more), usage: usageOf(counts) }
  }
  /** Null: nothing is in it. */
  const readEvent = (event: Record<string, unknown>): object | null => {
    switch (event.type) {
      case 'message_start':
        return isRecord(event.message) ? countedChunk(event.message.usage, {}) : null
      case 'content_block_start':
        return blockChunk(event.content_block, event.index)
      case 'content_block_delta':
        return deltaChunk(event.delta, event.index)
      case 'message_delta': {
        const delta = isRecord(event.delta) ? event.delta : {}
        return countedChunk(event.usage, {}, { finish_reason: finishReason(delta.stop_reason) })
      }
      case 'message_stop':
        isDone = true
        return null
      default:
        return null
    }
  }
  const blockChunk = (block: unknown, index: unknown): object | null => {
    const delta = isRecord(block) ? startDelta(block, index) : null
    return delta === null ? null : chunk(delta)
  }
  const deltaChunk = (part: unknown, index: unknown): object | null => {
    const delta = isRecord(part) ? partDelta(part, index) : null
    return delta === null ? null : chunk(delta)
  }
  return {
    ...reader,
    isDone: () => isDone,
    lastTypes,
    read(value, events) {
      if (!isRecord(value)) return reader.read(value, events)
      if (value.type === 'error' || value.error) throw errorInside(value, options.redact)
      if (Array.isArray(value.content) && value.type === 'message') {
        for (const [index, block] of value.content.entries()) {
          const read = wholeBlock(block, index)
          if (read !== null) reader.read(chunk(read), events)
          sign(block, events)
        }
        return reader.read(countedChunk(value.usage, {}, { finish_reason: finishReason(value.stop_reason) }), events)
      }
      const read = readEvent(value)
      if (read !== null) reader.read(read, events)
      if (value.type === 'content_block_delta') sign(value.delta, events)
    },
  }
}

type Fields = Record<string, unknown>

const callDelta = (index: unknown, fields: object) => ({ tool_calls: [{ index, ...fields }] })

/** Text that is there at the beginning of a block. */
const startDelta = (block: Fields, index: unknown): object | null => {
  if (block.type === 'text') return { content: block.text }
  if (block.type === 'thinking') return { reasoning_content: block.thinking }
  // The input follows in parts; at the start it is empty.
  return block.type === 'tool_use' ? callDelta(index, { id: block.id, function: { name: block.name } }) : null
}

const partDelta = (delta: Fields, index: unknown): object | null => {
  if (delta.type === 'text_delta') return { content: delta.text }
  if (delta.type === 'thinking_delta') return { reasoning_content: delta.thinking }
  if (delta.type !== 'input_json_delta') return null
  return callDelta(index, { function: { arguments: delta.partial_json } })
}

const wholeBlock = (block: unknown, index: number): object | null => {
  if (!isRecord(block)) return null
  if (block.type !== 'tool_use') return startDelta(block, index)
  return callDelta(index, { id: block.id, function: { name: block.name, arguments: block.input } })
}

/** A reason that is not known is an end, as for chat completions. */
const finishReason = (reason: unknown): unknown => {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length'
  return reason === 'refusal' ? 'content_filter' : reason
}

/** Tokens that were read from the cache or written to it are not part of `input_tokens`. */
const usageOf = (counts: Fields): Fields => {
  const { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached } = counts
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
  const prompt = number(input) + number(cached) + number(counts.cache_creation_input_tokens)
  return {
    ...(typeof input === 'number' ? { prompt_tokens: prompt } : {}),
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cached },
  }
}
