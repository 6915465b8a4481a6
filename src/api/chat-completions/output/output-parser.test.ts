import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callText } from '../../../../test/harness/call-text.ts'
import { anyCuts, cutBytes } from '../../../../test/harness/cut-bytes.ts'
import { readAnswer } from '../../../../test/harness/read-answer.ts'

const words = ['a', 'END', 'EN', 'D', ' ', '\n', '日本', '👩‍👩‍👧‍👦', '\ufeff', '\ufffd', '"', '}', '<', '<tool', '</']
const tags = ['<think>', '</think>', '<tool_call>', '</tool_call>', '<tool_call>{"name": "f", "arguments": {']
const calls = [
  callText('f', {}),
  callText('get_weather', { city: '東京 "}</tool_call>{"', nested: [{ a: '\\' }] }),
  '<tool_call>\n {"name":"g" , "arguments" :  [1, "]"] }</tool_call>',
  '<tool_call>no call at all</tool_call>',
]
const text = fc.array(fc.constantFrom(...words, ...tags, ...calls), { maxLength: 14 }).map((parts) => parts.join(''))
const soundBytes = text.map((whole): Uint8Array => Buffer.from(whole))
/** Beginnings of characters, some of which can never become one. */
const broken = ['e2', 'e282', 'f09f98', 'f0', 'e080', 'eda0', 'f4bfbf', 'f5', 'c0', '80', 'ff', 'c3']
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 5 }),
      fc.constantFrom(...broken).map((hex) => Buffer.from(hex, 'hex')),
      fc.constantFrom(...words, ...tags, ...calls).map((word) => Buffer.from(word)),
    ),
    { maxLength: 14 },
  )
  .map((parts): Uint8Array => Buffer.concat(parts))
const options = fc.record({
  stops: fc.uniqueArray(fc.constantFrom('END', 'a日', '\n', '<tool', '👩', ' a'), { maxLength: 3 }),
  mostCalls: fc.constantFrom(0, 1, 2, 16),
  reasoning: fc.boolean(),
  logprobs: fc.boolean(),
})
const joined = ({ spoken: _, ...rest }: ReturnType<typeof readAnswer>) => rest

test('any way of cutting the same bytes into tokens gives the same answer', () => {
  fc.assert(
    fc.property(fc.oneof(soundBytes, anyBytes), anyCuts, options, (bytes, cuts, asked) => {
      expect(joined(readAnswer(cutBytes(bytes, cuts), asked))).toEqual(joined(readAnswer([bytes], asked)))
    }),
    { numRuns: 1000 },
  )
})

test('asking for probabilities changes nothing about the answer, and their bytes are the bytes of the content', () => {
  fc.assert(
    fc.property(fc.oneof(soundBytes, anyBytes), anyCuts, options, (bytes, cuts, asked) => {
      const tokens = cutBytes(bytes, cuts)
      const { told, ...rest } = joined(readAnswer(tokens, { ...asked, logprobs: true }))
      const { told: _, ...plain } = joined(readAnswer(tokens, { ...asked, logprobs: false }))
      expect(rest).toEqual(plain)
      expect(told).toBe(Buffer.from(rest.content).toString('hex'))
    }),
    { numRuns: 1000 },
  )
})

test('where the model only speaks, the content is the text up to the first stop text', () => {
  fc.assert(
    fc.property(text, anyCuts, options, (whole, cuts, { stops, logprobs }) => {
      const places = stops.map((stop) => whole.indexOf(stop)).filter((place) => place >= 0)
      const expected = places.length === 0 ? whole : whole.slice(0, Math.min(...places))
      const read = readAnswer(cutBytes(Buffer.from(whole), cuts), { stops, logprobs })
      expect(read).toMatchObject({ content: expected, stopped: places.length > 0, reasoning: '', calls: [] })
    }),
  )
})

test('no piece of sound text holds half a character, and nothing of a stop text is ever told', () => {
  fc.assert(
    fc.property(text, anyCuts, options, (whole, cuts, asked) => {
      const read = readAnswer(cutBytes(Buffer.from(whole), cuts), asked)
      for (const piece of read.spoken) expect(piece.isWellFormed()).toBe(true)
      if (!whole.includes('\ufffd')) expect(read.content).not.toContain('\ufffd')
      if (asked.mostCalls === 0 && !asked.reasoning)
        for (const stop of asked.stops) expect(read.content).not.toContain(stop)
    }),
  )
})

test('calls are read with their names and arguments, whatever is said between them', () => {
  const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }))
  const someCalls = fc.array(fc.record({ name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/), args: json }), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.constantFrom('', 'Let me look. ', '日本'), someCalls, anyCuts, (said, wanted, cuts) => {
      const whole = said + wanted.map(({ name, args }) => callText(name, args)).join('\n')
      const read = readAnswer(cutBytes(Buffer.from(whole), cuts), { mostCalls: 16, stops: ['"', '}'] })
      expect(read.content).toBe(said.trimEnd())
      expect(read.calls.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name))
      expect(read.calls.map((call) => call.arguments)).toEqual(wanted.map(({ args }) => JSON.stringify(args)))
      expect(new Set(read.calls.map(({ id }) => id)).size).toBe(wanted.length)
      expect(read.stopped).toBe(false)
    }),
  )
})

test('the last call that is wanted ends the answer', () => {
  const whole = `${callText('f', { a: 1 })}\n${callText('g', {})}`
  expect(readAnswer([Buffer.from(whole)], { mostCalls: 1 })).toMatchObject({
    stopped: true,
    content: '',
    calls: [{ name: 'f', arguments: '{"a":1}' }],
  })
})

test('a thought is told apart from what is said, and a stop text in it is a part of it', () => {
  fc.assert(
    fc.property(anyCuts, (cuts) => {
      const bytes = Buffer.from(`<think>\nEND? 日本</thin\n</think>\n\nYes.${callText('f', {})}`)
      const read = readAnswer(cutBytes(bytes, cuts), { reasoning: true, stops: ['END'], mostCalls: 16, logprobs: true })
      expect(read).toMatchObject({ reasoning: '\nEND? 日本</thin\n', content: 'Yes.', calls: [{ name: 'f' }] })
      expect(read.told).toBe(Buffer.from('Yes.').toString('hex'))
    }),
  )
})

test('a stop text in what was held back to the end ends the answer', () => {
  const tokens = ['Hello', '\n'].map((token) => Buffer.from(token))
  expect(readAnswer(tokens, { stops: ['\n'], mostCalls: 1 })).toMatchObject({ content: 'Hello', stopped: true })
})
