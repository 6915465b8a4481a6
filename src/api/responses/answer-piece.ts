import type { ItemStep } from '../../engine/contract.ts'
import type { AnswerPart } from '../generation/answer/answer-part.ts'
import { contentLogprobJson } from '../openai/answer-shapes.ts'
import type { LogprobJson } from './items.ts'

/** The events of an answer that its response shows. */
export type AnswerPiece =
  | { type: 'content'; text: string; logprobs: LogprobJson[] }
  | { type: 'reasoning'; text: string }
  | { type: 'refusal'; text: string }
  /** Calls are counted from 0. */
  | { type: 'call'; index: number; id: string; name: string }
  | { type: 'arguments'; index: number; text: string }
  | { type: 'item'; item: ItemStep }

export const toAnswerPiece = (event: AnswerPart): AnswerPiece => {
  switch (event.type) {
    case 'content':
      return { type: 'content', text: event.text, logprobs: event.tokens.map(contentLogprobJson) }
    case 'call':
      return { type: 'call', index: event.index, id: event.id, name: event.name }
    case 'arguments':
      return { type: 'arguments', index: event.index, text: event.text }
    case 'item':
      return { type: 'item', item: event.item }
    default:
      return { type: event.type, text: event.text }
  }
}
