import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStopScanner } from './stop-scanner.ts'

const scan = (pieces: string[], stops: string[]): { text: string; stopped: boolean; early: string } => {
  const scanner = createStopScanner(stops)
  let text = ''
  let stopped = false
  for (const piece of pieces) {
    const step = scanner.push(piece)
    text += step.text
    stopped = step.stopped
  }
  const early = text
  return { text: stopped ? text : text + scanner.flush(), stopped, early }
}

test('a stop sequence that spans pieces ends the text before its first character', () => {
  expect(scan(['one, t', 'w', 'o, three'], ['two']).text).toBe('one, ')
})

test('a false start is released', () => {
  expect(scan(['tw', 'ist'], ['two']).text).toBe('twist')
  expect(scan(['the end is tw'], ['two']).text).toBe('the end is tw')
})

test('the first of several stop sequences counts', () => {
  expect(scan(['東京、大阪。京都'], ['。', '、']).text).toBe('東京')
})

test('the stop sequence that is complete first counts, however the text is divided', () => {
  for (const pieces of [['abba'], ['abb', 'a'], ['a', 'b', 'b', 'a']])
    expect(scan(pieces, ['b', 'abba']).text).toBe('a')
  for (const pieces of [['xab'], ['xa', 'b']]) expect(scan(pieces, ['b', 'ab']).text).toBe('x')
})

test('the result does not depend on how the text is divided, and nothing after the stop is ever released', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '日', '👩') })
  const someStops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '日'), minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.array(letters), someStops, (pieces, stops) => {
      const whole = pieces.join('')
      const found = stops.map((stop) => ({ stop, start: whole.indexOf(stop) })).filter(({ start }) => start >= 0)
      const end = Math.min(...found.map(({ stop, start }) => start + stop.length))
      const starts = found.filter(({ stop, start }) => start + stop.length === end).map(({ start }) => start)
      const expected = found.length === 0 ? whole : whole.slice(0, Math.min(...starts))
      const result = scan(pieces, stops)
      expect(result.text).toBe(expected)
      expect(result.stopped).toBe(found.length > 0)
      expect(expected.startsWith(result.early)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
