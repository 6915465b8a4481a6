import type { AnswerEvent } from './read-chunk.ts'

/** What a model reasoned before it answered, and when, in milliseconds after the request was sent. */
export type Thought = {
  text: string
  fromMs: number
  toMs: number
  /** It reasons no longer: the answer has begun, or everything has ended. */
  isOver: boolean
}

/** Null: it has not reasoned so far. */
export const growThought = (last: Thought | null, event: AnswerEvent, ms: number): Thought | null => {
  if (event.type === 'reasoning')
    return { text: (last?.text ?? '') + event.text, fromMs: last?.fromMs ?? ms, toMs: ms, isOver: false }
  return last === null || last.isOver ? last : { ...last, toMs: ms, isOver: true }
}

/** Whole seconds, at least one. */
export const thoughtSeconds = ({ fromMs, toMs }: Pick<Thought, 'fromMs' | 'toMs'>): number =>
  Math.max(1, Math.round((toMs - fromMs) / 1000))
