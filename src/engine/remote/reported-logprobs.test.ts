import { expect, test } from 'vitest'
import type { EngineEvent } from '../contract.ts'
import { createReportedLogprobs } from './reported-logprobs.ts'

const entry = (bytes: readonly number[], logprob: unknown = -1) => ({ token: '?', bytes, logprob, top_logprobs: [] })
const read = (...chunks: [text: string, entries: unknown][]): EngineEvent[] => {
  const reported = createReportedLogprobs()
  const events: EngineEvent[] = []
  for (const [text, entries] of chunks) reported.push(text, entries, events)
  reported.flush(events)
  return events
}
const listTokens = (events: readonly EngineEvent[]) =>
  events.map((event) => (event.type === 'token' ? [[...event.bytes], event.logprob?.logprob] : event))

test('tokens of a character that is not complete wait for it', () => {
  const [first = 0, second = 0, third = 0] = Buffer.from('東')
  const events = read(['', [entry([first])]], ['', [entry([second], -2)]], ['東', [entry([third], -3)]])
  expect(listTokens(events)).toEqual([
    [[first], -1],
    [[second], -2],
    [[third], -3],
  ])
})

test('a token after the text, such as the end of a message, is left out', () => {
  const end = entry([...Buffer.from('<|im_end|>')], -3)
  const whole = [entry([...Buffer.from('Hello')]), entry([...Buffer.from('!')], -2)]
  const expected = [
    [[...Buffer.from('Hello')], -1],
    [[...Buffer.from('!')], -2],
  ]
  expect(listTokens(read(['Hello!', [...whole, end]]))).toEqual(expected)
  expect(listTokens(read(['Hello', whole.slice(0, 1)], ['!', whole.slice(1)], ['', [end]]))).toEqual(expected)
})

test('the tokens of a long answer that arrives at once are all matched', () => {
  const word = [...Buffer.from('word ')]
  const events = read(['word '.repeat(5000), [...Array.from({ length: 5000 }, () => entry(word)), entry([60])]])
  expect(events).toHaveLength(5000)
  expect(events.every((event) => event.type === 'token' && event.logprob?.logprob === -1)).toBe(true)
})

test('if the tokens do not match the text, the text is sent without probabilities', () => {
  const events = read(['Hello', [entry([...Buffer.from('Bye')])]], [' you', null])
  expect(Buffer.concat(events.map((event) => (event.type === 'token' ? event.bytes : Buffer.of()))).toString()).toBe(
    'Hello you',
  )
  expect(events.every((event) => event.type === 'token' && event.logprob === undefined)).toBe(true)
})

test('probabilities that cannot be are brought into range', () => {
  const a = [...Buffer.from('a')]
  const wild = [0.5, Number.NaN, '-1', null].map((logprob) => entry(a, logprob))
  const events = read(['aaaa', wild])
  expect(listTokens(events).map((token) => (Array.isArray(token) ? token[1] : null))).toEqual([0, -9999, -9999, -9999])
})

test('texts of an upstream that reports no tokens do not wait for them', () => {
  const reported = createReportedLogprobs()
  const events: EngineEvent[] = []
  for (let number = 0; number < 20; number += 1) reported.push(`${number} `, undefined, events)
  expect(events.length).toBeGreaterThan(10)
  const texts = events.map((event) => (event.type === 'token' ? Buffer.from(event.bytes).toString() : ''))
  expect(texts.join('')).toBe(Array.from({ length: 20 }, (_, number) => `${number} `).join(''))
})
