import type { ItemPart } from '../../engine/contract.ts'
import type { AnswerPiece } from './answer-piece.ts'
import type { OutputItem, OutputMessage, OutputText, ReasoningItem } from './items.ts'
import { annotationsIn } from './read-annotations.ts'
import { eventLogprob, type UnnumberedEvent } from './stream-events.ts'

/** What an upstream says about an item of its own. */
export type ItemFields = Readonly<Record<string, unknown>>

export type ItemEnd = 'completed' | 'incomplete'

/** An item of the output that is being written. Every change is an event; `close` returns those that complete it. */
export interface OpenItem {
  readonly item: OutputItem
  readonly outputIndex: number
  open(): UnnumberedEvent[]
  /** Null if the piece is not part of this item. */
  add(piece: AnswerPiece): UnnumberedEvent[] | null
  /** Nothing more of it can follow, once another item begins. */
  isComplete(): boolean
  /** The upstream says to which of its parts the text that follows belongs. */
  enter?(part: ItemPart, partIndex: number): UnnumberedEvent[]
  /** The upstream says what the item has besides its texts. */
  settle?(fields: ItemFields): void
  close(status: ItemEnd): UnnumberedEvent[]
}

/** The item as it is before its first part. */
export const added = (outputIndex: number, item: OutputItem): UnnumberedEvent => ({
  type: 'response.output_item.added',
  output_index: outputIndex,
  item: structuredClone(item),
})
export const done = (outputIndex: number, item: OutputItem): UnnumberedEvent => ({
  type: 'response.output_item.done',
  output_index: outputIndex,
  item,
})

/** Text, and refusals, of which each is a part of its own. */
export const openMessage = (id: string, outputIndex: number, { phase }: ItemFields = {}): OpenItem => {
  const item: OutputMessage = {
    ...{ id, type: 'message', status: 'in_progress', content: [], role: 'assistant' },
    ...(typeof phase === 'string' ? { phase } : {}),
  }
  let entered: number | null = null
  let isNewPart = false
  const place = () => ({ item_id: id, output_index: outputIndex, content_index: item.content.length - 1 })
  const begin = (part: OutputMessage['content'][number]): UnnumberedEvent => {
    item.content.push(part)
    return { type: 'response.content_part.added', ...place(), part: structuredClone(part) }
  }
  const end = (): UnnumberedEvent[] => {
    const part = item.content.at(-1)
    if (part === undefined) return []
    return [textDone(part, place()), { type: 'response.content_part.done', ...place(), part: structuredClone(part) }]
  }
  const annotated = (): UnnumberedEvent[] =>
    item.content.flatMap((part, content_index) =>
      part.type === 'refusal'
        ? []
        : part.annotations.map((annotation, annotation_index) => ({
            type: 'response.output_text.annotation.added',
            ...{ ...place(), content_index, annotation_index, annotation },
          })),
    )
  return {
    item,
    outputIndex,
    open: () => [added(outputIndex, item)],
    add(piece) {
      if (piece.type !== 'content' && piece.type !== 'refusal') return null
      const events: UnnumberedEvent[] = []
      const type = piece.type === 'content' ? 'output_text' : 'refusal'
      if (isNewPart || item.content.at(-1)?.type !== type) events.push(...end(), begin(newPart(type)))
      isNewPart = false
      const part = item.content.at(-1)
      if (piece.type === 'content' && part?.type === 'output_text') {
        part.text += piece.text
        for (const logprob of piece.logprobs) part.logprobs.push(logprob)
        events.push({
          type: 'response.output_text.delta',
          ...place(),
          delta: piece.text,
          logprobs: piece.logprobs.map(eventLogprob),
        })
      } else if (piece.type === 'refusal' && part?.type === 'refusal') {
        part.refusal += piece.text
        events.push({ type: 'response.refusal.delta', ...place(), delta: piece.text })
      }
      return events
    },
    isComplete: () => true,
    enter(_, partIndex) {
      isNewPart = entered !== partIndex
      entered = partIndex
      return []
    },
    settle(fields) {
      if (typeof fields.phase === 'string') item.phase = fields.phase
      for (const [index, part] of item.content.entries())
        if (part.type === 'output_text') part.annotations = annotationsIn(fields, index)
    },
    close(status) {
      // A message without text has one empty part.
      const events = item.content.length === 0 ? [begin(newPart('output_text')), ...end()] : [...annotated(), ...end()]
      item.status = status
      return [...events, done(outputIndex, item)]
    },
  }
}

const newPart = (type: 'output_text' | 'refusal'): OutputMessage['content'][number] =>
  type === 'refusal' ? { type, refusal: '' } : { type, annotations: [], logprobs: [], text: '' }

const textDone = (
  part: OutputMessage['content'][number],
  place: { item_id: string; output_index: number; content_index: number },
): UnnumberedEvent =>
  part.type === 'refusal'
    ? { type: 'response.refusal.done', ...place, refusal: part.refusal }
    : { type: 'response.output_text.done', ...place, text: part.text, logprobs: eventLogprobs(part) }

const eventLogprobs = ({ logprobs }: OutputText) => logprobs.map(eventLogprob)

/** The reasoning of the model. If a summary was requested it is sent as one, in full: nothing here could summarise it. */
export const openReasoning = (id: string, outputIndex: number, summarises: boolean): OpenItem => {
  const part = { text: '' }
  const item: ReasoningItem = {
    id,
    type: 'reasoning',
    summary: [],
    ...(summarises ? {} : { content: [] }),
    status: 'in_progress',
  }
  const place = { item_id: id, output_index: outputIndex }
  const partEvent = (when: 'added' | 'done'): UnnumberedEvent =>
    summarises
      ? {
          type: `response.reasoning_summary_part.${when}`,
          ...place,
          summary_index: 0,
          part: { type: 'summary_text', text: part.text },
        }
      : {
          type: `response.content_part.${when}`,
          ...place,
          content_index: 0,
          part: { type: 'reasoning_text', text: part.text },
        }
  return {
    item,
    outputIndex,
    open: () => [added(outputIndex, item), partEvent('added')],
    add(piece) {
      if (piece.type !== 'reasoning') return null
      part.text += piece.text
      const delta = piece.text
      return [
        summarises
          ? { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta }
          : { type: 'response.reasoning_text.delta', ...place, content_index: 0, delta },
      ]
    },
    isComplete: () => true,
    close(status) {
      const { text } = part
      if (summarises) item.summary.push({ type: 'summary_text', text })
      else item.content = [{ type: 'reasoning_text', text }]
      item.status = status
      return [
        summarises
          ? { type: 'response.reasoning_summary_text.done', ...place, summary_index: 0, text }
          : { type: 'response.reasoning_text.done', ...place, content_index: 0, text },
        partEvent('done'),
        done(outputIndex, item),
      ]
    },
  }
}
