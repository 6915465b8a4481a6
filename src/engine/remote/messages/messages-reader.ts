import type { Redact } from '../../../base/create-redactor.ts'
import { isRecord } from '../../../base/is-record.ts'
import type { EngineEvent } from '../../contract.ts'
import { type AnswerReader, createAnswerReader } from '../answer-reader.ts'
import { errorInside } from '../refusal.ts'

/** In one answer. Those of long reasoning have some thousand characters. */
const maxSignature = 200_000
const countNames = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens']
const lastTypes: ReadonlySet<string> = new Set(['message_stop'])

/**
 * Reads the events of Anthropic's Messages API, or a whole message, as chunks of a chat completion. Events, blocks and deltas of
 * unknown types are left out: the API may add some at any time.
 */
export const createMessagesReader = (options: {
  redact: Redact
  hideSecrets: Redact
  signatures?: boolean
}): AnswerReader => {
  const { signatures = false } = options
  let signedChars = 0
  const addSigned = (signature: unknown, isRedacted: boolean, events: EngineEvent[]): void => {
    if (!signatures || typeof signature !== 'string' || signature === '') return
    signedChars += signature.length
    // One that contains the upstream's key is none.
    if (signedChars > maxSignature || options.hideSecrets(signature) !== signature) return
    events.push({ type: 'reasoning', text: '', signature, ...(isRedacted ? { isRedacted } : {}), tokens: 0 })
  }
  const sign = (part: unknown, events: EngineEvent[]): void => {
    if (isRecord(part)) addSigned(part.signature, false, events)
  }
  /** Reasoning that the provider shows to nobody, but wants to have back. */
  const readRedacted = (block: unknown, events: EngineEvent[]): void => {
    if (isRecord(block) && block.type === 'redacted_thinking') addSigned(block.data, true, events)
  }
  /** By block: the input of a call that came with its beginning, as of servers that do not write it in parts. */
  const inputs = new Map<unknown, unknown>()
  const reader = createAnswerReader({ logprobs: false, ...options })
  const counts: Record<string, unknown> = {}
  let isDone = false
  const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] })
  const countedChunk = (usage: unknown, delta: object, more: object = {}) => {
    // Counts that were reported before are not taken back.
    if (isRecord(usage)) {
      for (const name of countNames) if (typeof usage[name] === 'number') counts[name] = usage[name]
      if (isRecord(usage.output_tokens_details)) counts.thinking = usage.output_tokens_details.thinking_tokens
    }
    return { ...chunk(delta, more), usage: usageOf(counts) }
  }
  /** Null: nothing is in it. */
  const readEvent = (event: Record<string, unknown>): object | null => {
    switch (event.type) {
      case 'message_start':
        return isRecord(event.message) ? countedChunk(promptCounts(event.message.usage), {}) : null
      case 'content_block_start':
        keepInput(event)
        return blockChunk(event.content_block, event.index)
      case 'content_block_delta':
        if (isRecord(event.delta) && event.delta.partial_json) inputs.delete(event.index)
        return deltaChunk(event.delta, event.index)
      case 'content_block_stop':
        return inputChunk(event.index)
      case 'message_delta': {
        const delta = isRecord(event.delta) ? event.delta : {}
        return countedChunk(event.usage, {}, endOf(delta))
      }
      case 'message_stop':
        isDone = true
        return null
      default:
        return null
    }
  }
  const keepInput = ({ index, content_block: block }: Record<string, unknown>): void => {
    const input = isRecord(block) && isRecord(block.input) ? block.input : {}
    if (Object.keys(input).length > 0) inputs.set(index, input)
  }
  const blockChunk = (block: unknown, index: unknown): object | null => {
    const delta = isRecord(block) ? startDelta(block, index) : null
    return delta === null ? null : chunk(delta)
  }
  const inputChunk = (index: unknown): object | null => {
    const input = inputs.get(index)
    inputs.delete(index)
    return input === undefined ? null : chunk(callDelta(index, { function: { arguments: input } }))
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
          readRedacted(block, events)
        }
        return reader.read(countedChunk(value.usage, {}, endOf(value)), events)
      }
      const read = readEvent(value)
      if (read !== null) reader.read(read, events)
      if (value.type === 'content_block_delta') sign(value.delta, events)
      if (value.type === 'content_block_start') readRedacted(value.content_block, events)
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

const endOf = ({ stop_reason, stop_sequence }: Fields) => ({
  finish_reason: finishReason(stop_reason),
  stop_reason: stop_reason === 'stop_sequence' ? stop_sequence : undefined,
})

/** A reason that is not known is an end, as for chat completions. */
const finishReason = (reason: unknown): unknown => {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length'
  return reason === 'refusal' ? 'content_filter' : reason
}

/** What an answer that has only begun counts as its own tokens is no count of the answer. */
const promptCounts = (usage: unknown): unknown => (isRecord(usage) ? { ...usage, output_tokens: undefined } : usage)

/** Tokens that were read from the cache or written to it are not part of `input_tokens`. */
const usageOf = (counts: Fields): Fields => {
  const { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached, thinking } = counts
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
  const prompt = number(input) + number(cached) + number(counts.cache_creation_input_tokens)
  return {
    ...(typeof input === 'number' ? { prompt_tokens: prompt } : {}),
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cached },
    ...(thinking === undefined ? {} : { completion_tokens_details: { reasoning_tokens: thinking } }),
  }
}
