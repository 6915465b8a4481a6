import type { AnswerPart, Finish } from '../generation/answer/answer-part.ts'
import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import { type ClosedBlock, createMessageBlocks, type MessagePart, toContentBlocks } from './message-blocks.ts'
import { messageEnd, messageJson, usageJson } from './message-json.ts'

/** Clients send thinking back with its signature, which is not checked here. Of models that sign theirs it is that of the provider. */
const thinkingSignature = ({ id }: FormattedAnswer): string => id

/** Writes an answer as the events of a message, or as one message. */
export const openMessagesFormatter = (answer: FormattedAnswer): AnswerFormatter => {
  const head = { id: answer.id, model: answer.model.id }
  const signature = thinkingSignature(answer)
  const blocks = createMessageBlocks()
  const answered = { calls: false, refusal: false }
  /** By block. */
  const signed = new Map<number, string>()
  let isBegun = false

  const begin = (): string[] => {
    if (isBegun) return []
    isBegun = true
    const message = messageJson(head, [], { stop_reason: null, stop_sequence: null }, answer.usage())
    return [JSON.stringify({ type: 'message_start', message })]
  }
  const delta = (index: number, change: object): string =>
    JSON.stringify({ type: 'content_block_delta', index, delta: change })
  const close = (closed: readonly ClosedBlock[]): string[] =>
    closed.flatMap(({ index, type }) => [
      ...(type === 'thinking'
        ? [delta(index, { type: 'signature_delta', signature: signed.get(index) ?? signature })]
        : []),
      JSON.stringify({ type: 'content_block_stop', index }),
    ])
  return {
    events([, part]) {
      if (part.type === 'finish' || part.type === 'item') return []
      if (part.type === 'call') answered.calls = true
      if (part.type === 'refusal') answered.refusal = true
      const placed = blocks.place(part)
      if (placed === null) return []
      const { index, begins, closed } = placed
      if (part.type === 'reasoning' && part.signature !== undefined)
        signed.set(index, (signed.get(index) ?? '') + part.signature)
      const change = partDelta(part)
      if (begins === null && change === null) return []
      // Every token but the first of a block is this.
      if (begins === null && change !== null) return delta(index, change)
      const start = JSON.stringify({ type: 'content_block_start', index, content_block: begins })
      return [...begin(), ...close(closed), start, ...(change === null ? [] : [delta(index, change)])]
    },
    lastEvents([finish]) {
      const end = { ...messageEnd(finish?.[1] ?? unfinished, answered), stop_details: null, container: null }
      return [
        ...begin(),
        ...close(blocks.close()),
        JSON.stringify({ type: 'message_delta', delta: end, usage: usageJson(answer.usage()) }),
        JSON.stringify({ type: 'message_stop' }),
      ]
    },
    document([choice]) {
      if (choice === undefined) throw new RangeError('there is no choice')
      const { parts, finish } = choice
      const has = (type: AnswerPart['type']): boolean => parts.some((part) => part.type === type)
      const end = messageEnd(finish, { calls: has('call'), refusal: has('refusal') })
      return messageJson(head, toContentBlocks(parts, signature), end, answer.usage())
    },
  }
}

const unfinished: Finish = { reason: 'stop' }

/** Null if the part only begins a block. */
const partDelta = (part: MessagePart): object | null => {
  switch (part.type) {
    case 'call':
      return null
    case 'reasoning':
      return part.text === '' ? null : { type: 'thinking_delta', thinking: part.text }
    case 'arguments':
      return { type: 'input_json_delta', partial_json: part.text }
    default:
      return { type: 'text_delta', text: part.text }
  }
}
