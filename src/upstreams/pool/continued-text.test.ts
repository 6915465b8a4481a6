import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createContinuedText } from './continued-text.ts'

const continued = (sent: string, ...parts: string[]): string => {
  const text = createContinuedText(sent)
  return parts.map((part) => text.push(part)).join('') + text.flush()
}
const answer =
  'The tide comes in twice a day. It follows the moon, which pulls at the sea. On the far side there is a second bulge.'
const words = answer.split(/(?<= )/)

test('a text that simply goes on is passed on as it is', () => {
  expect(continued('The tide comes ', 'in twice', ' a day.')).toBe('in twice a day.')
  expect(continued('', 'The tide')).toBe('The tide')
})

test('an answer that begins again is cut where it was', () => {
  for (let at = 1; at < words.length; at += 1)
    expect(continued(words.slice(0, at).join(''), ...words)).toBe(words.slice(at).join(''))
})

test('a repeated last sentence is removed', () => {
  const sent = 'The tide comes in twice a day. It follows the moon, '
  expect(continued(sent, 'It follows ', 'the moon, which pulls', ' at the sea.')).toBe('which pulls at the sea.')
})

test('a few repeated characters are kept, because they may be meant', () => {
  expect(continued('He said ha ha ', 'ha ha ', 'and left.')).toBe('ha ha and left.')
})

test('what is held back at the end is sent', () => {
  expect(continued('one two three four', 'three')).toBe('three')
})

test('however the parts are cut, the text is the same', () => {
  const cuts = fc.array(fc.nat({ max: answer.length }), { maxLength: 10 })
  const from = fc.nat({ max: words.length - 1 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: words.length }), from, cuts, (sentWords, repeated, places) => {
      const sent = words.slice(0, sentWords).join('')
      const rest = words.slice(Math.max(0, sentWords - repeated)).join('')
      const at = [0, ...places.map((place) => Math.min(place, rest.length)).toSorted((a, b) => a - b), rest.length]
      const parts = at.slice(1).map((end, index) => rest.slice(at[index], end))
      expect(continued(sent, ...parts)).toBe(continued(sent, rest))
    }),
  )
})
