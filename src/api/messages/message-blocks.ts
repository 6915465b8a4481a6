import { parseJsonText } from '../../base/parse-json-text.ts'
import type { AnswerPart } from '../generation/answer/answer-part.ts'
import type { ContentBlock } from './message-json.ts'

/** Only responses have items. */
export type MessagePart = Exclude<AnswerPart, { type: 'item' }>

/** Where a part of an answer belongs: into the block with this index. */
type PlacedPart = {
  index: number
  /** The block as it begins with this part; null if it has begun before. */
  begins: ContentBlock | null
  /** The blocks that are complete because this one begins. */
  closed: readonly ClosedBlock[]
}
export type ClosedBlock = { index: number; type: ContentBlock['type'] }

/** `call`, `written`: the call of a `tool_use` block, and its arguments so far. `isSigned`: no reasoning can be added to it. */
type OpenBlock = ClosedBlock & { call: number; written: string; isSigned: boolean }

/**
 * Divides an answer into the blocks of a message, for its stream and for the whole message alike. A block ends when another
 * begins; only calls whose arguments are incomplete stay open, because an upstream may write several in turns.
 */
export const createMessageBlocks = () => {
  let count = 0
  let open: OpenBlock[] = []
  const begin = (block: ContentBlock, call = -1): PlacedPart => {
    const index = count
    const closed = open.filter(isComplete)
    open = [
      ...open.filter((one) => !closed.includes(one)),
      { index, type: block.type, call, written: '', isSigned: false },
    ]
    count += 1
    return { index, begins: block, closed }
  }
  const placeThinking = ({ text, signature }: Extract<MessagePart, { type: 'reasoning' }>): PlacedPart => {
    const block = open.find(({ type, isSigned }) => type === 'thinking' && !(isSigned && text !== ''))
    const placed = block === undefined ? begin(newThinking()) : { index: block.index, begins: null, closed: [] }
    const last = open.at(-1)
    if (signature !== undefined && last !== undefined) last.isSigned = true
    return placed
  }
  return {
    /** Null if it belongs to a call that was complete. */
    place(part: MessagePart): PlacedPart | null {
      if (part.type === 'call') return begin(newCall(part), part.index)
      if (part.type === 'reasoning') return part.isRedacted ? begin(newRedacted(part)) : placeThinking(part)
      const block = open.find(({ type, call }) => (part.type === 'arguments' ? call === part.index : type === 'text'))
      if (part.type === 'arguments' && block !== undefined) block.written += part.text
      if (block !== undefined) return { index: block.index, begins: null, closed: [] }
      return part.type === 'arguments' ? null : begin(newText())
    },
    /** The answer has ended. */
    close(): readonly ClosedBlock[] {
      const closed = open
      open = []
      return closed
    },
  }
}

const newThinking = (): ContentBlock => ({ type: 'thinking', thinking: '', signature: '' })
const newRedacted = ({ signature = '' }: { signature?: string }): ContentBlock => ({
  type: 'redacted_thinking',
  data: signature,
})
const newText = (): ContentBlock => ({ type: 'text', text: '' })
const newCall = ({ id, name }: { id: string; name: string }): ContentBlock => ({
  type: 'tool_use',
  id: id.replace(/^call_/, 'toolu_'),
  name,
  input: {},
  caller: { type: 'direct' },
})

const isComplete = ({ type, written }: OpenBlock): boolean => type !== 'tool_use' || parse(written) !== undefined

/** All blocks of an answer. */
export const toContentBlocks = (parts: readonly AnswerPart[], signature: string): ContentBlock[] => {
  const blocks = createMessageBlocks()
  const texts: string[] = []
  const signed: string[] = []
  const content: ContentBlock[] = []
  for (const part of parts) {
    if (part.type === 'item') continue
    const placed = blocks.place(part)
    if (placed === null) continue
    if (placed.begins !== null) content.push(placed.begins)
    if (part.type !== 'call') texts[placed.index] = (texts[placed.index] ?? '') + part.text
    if (part.type === 'reasoning' && part.signature !== undefined)
      signed[placed.index] = (signed[placed.index] ?? '') + part.signature
  }
  return content.map((block, index) => filled(block, texts[index] ?? '', signed[index] ?? signature))
}

const filled = (block: ContentBlock, text: string, signature: string): ContentBlock => {
  switch (block.type) {
    case 'text':
      return { ...block, text }
    case 'thinking':
      return { ...block, thinking: text, signature }
    case 'redacted_thinking':
      return block
    case 'tool_use':
      return { ...block, input: parseInput(text) }
  }
}

/** A call that the token limit cuts off has no complete input. */
const parseInput = (text: string): object => {
  const value = parse(text)
  return typeof value === 'object' && value !== null ? value : {}
}

/** Undefined if it is not JSON. */
const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return undefined
  }
}
