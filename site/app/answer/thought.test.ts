import { expect, test } from 'vitest'
import type { AnswerEvent } from './read-chunk.ts'
import { growThought, type Thought, thoughtSeconds } from './thought.ts'

const grown = (events: readonly (readonly [ms: number, event: AnswerEvent])[]): Thought | null =>
  events.reduce<Thought | null>((last, [ms, event]) => growThought(last, event, ms), null)

test('a thought grows until the answer begins, and its time no longer', () => {
  const thinking = grown([
    [900, { type: 'reasoning', text: 'Let me ' }],
    [8000, { type: 'reasoning', text: 'see.' }],
  ])
  expect(thinking).toEqual({ text: 'Let me see.', fromMs: 900, toMs: 8000, isOver: false })
  const answered = [
    [12_900, { type: 'text', text: 'Yes' }],
    [20_000, { type: 'text', text: '.' }],
  ] as const
  const over = answered.reduce<Thought | null>((last, [ms, event]) => growThought(last, event, ms), thinking)
  expect(over).toMatchObject({ text: 'Let me see.', toMs: 12_900, isOver: true })
  expect(over && thoughtSeconds(over)).toBe(12)
})

test('an answer without reasoning has no thought', () => {
  expect(grown([[5, { type: 'text', text: 'Hi' }]])).toBeNull()
})
