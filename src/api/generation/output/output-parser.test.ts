import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callText } from '../../../../test/harness/call-text.ts'
import { anyCuts, cutBytes } from '../../../../test/harness/cut-bytes.ts'
import { parseOutput } from '../../../../test/harness/parse-output.ts'

const words = ['a', 'END', 'EN', 'D', ' ', '\n', '日本', '👩‍👩‍👧‍👦', '\ufeff', '\ufffd', '"', '}', '<', '<tool', '</']
const tags = ['<think>', '</think>', '<tool_call>', '</tool_call>', '<tool_call>{"name": "f", "arguments": {']
const calls = [
  callText('f', {}),
  callText('get_weather', { city: '東京 "}</tool_call>{"', nested: [{ a: '\\' }] }),
  '<tool_call>\n {"name":"g" , "arguments" :  [1, "]"] }</tool_call>',
  '<tool_call>not a call</tool_call>',
]
const text = fc.array(fc.constantFrom(...words, ...tags, ...calls), { maxLength: 14 }).map((parts) => parts.join(''))
const validBytes = text.map((whole): Uint8Array => Buffer.from(whole))
/** Beginnings of characters, some of them invalid. */
const incomplete = ['e2', 'e282', 'f09f98', 'f0', 'e080', 'eda0', 'f4bfbf', 'f5', 'c0', '80', 'ff', 'c3']
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 5 }),
      fc.constantFrom(...incomplete).map((hex) => Buffer.from(hex, 'hex')),
      fc.constantFrom(...words, ...tags, ...calls).map((word) => Buffer.from(word)),
    ),
    { maxLength: 14 },
  )
  .map((parts): Uint8Array => Buffer.concat(parts))
const options = fc.record({
  stops: fc.uniqueArray(fc.constantFrom('END', 'a日', '\n', '<tool', '👩', ' a'), { maxLength: 3 }),
  maxCalls: fc.constantFrom(0, 1, 2, 16),
  reasoning: fc.boolean(),
  logprobs: fc.boolean(),
})
const joined = ({ contentPieces: _, ...rest }: ReturnType<typeof parseOutput>) => rest

test('the result does not depend on how the bytes are divided into tokens', () => {
  fc.assert(
    fc.property(fc.oneof(validBytes, anyBytes), anyCuts, options, (bytes, cuts, parserOptions) => {
      expect(joined(parseOutput(cutBytes(bytes, cuts), parserOptions))).toEqual(
        joined(parseOutput([bytes], parserOptions)),
      )
    }),
    { numRuns: 1000 },
  )
})

test('log probabilities do not change the result, and their bytes are the bytes of the content', () => {
  fc.assert(
    fc.property(fc.oneof(validBytes, anyBytes), anyCuts, options, (bytes, cuts, parserOptions) => {
      const tokens = cutBytes(bytes, cuts)
      const { logprobBytes, ...rest } = joined(parseOutput(tokens, { ...parserOptions, logprobs: true }))
      const { logprobBytes: _, ...plain } = joined(parseOutput(tokens, { ...parserOptions, logprobs: false }))
      expect(rest).toEqual(plain)
      expect(logprobBytes).toBe(Buffer.from(rest.content).toString('hex'))
    }),
    { numRuns: 1000 },
  )
})

test('without calls and reasoning the content is the text up to the first stop sequence', () => {
  fc.assert(
    fc.property(text, anyCuts, options, (whole, cuts, { stops, logprobs }) => {
      const places = stops.map((stop) => whole.indexOf(stop)).filter((place) => place >= 0)
      const expected = places.length === 0 ? whole : whole.slice(0, Math.min(...places))
      const read = parseOutput(cutBytes(Buffer.from(whole), cuts), { stops, logprobs })
      expect(read).toMatchObject({ content: expected, stopped: places.length > 0, reasoning: '', calls: [] })
    }),
  )
})

test('no piece of valid text contains an incomplete character, and nothing of a stop sequence is ever sent', () => {
  fc.assert(
    fc.property(text, anyCuts, options, (whole, cuts, parserOptions) => {
      const read = parseOutput(cutBytes(Buffer.from(whole), cuts), parserOptions)
      for (const piece of read.contentPieces) expect(piece.isWellFormed()).toBe(true)
      if (!whole.includes('\ufffd')) expect(read.content).not.toContain('\ufffd')
      if (parserOptions.maxCalls === 0 && !parserOptions.reasoning)
        for (const stop of parserOptions.stops) expect(read.content).not.toContain(stop)
    }),
  )
})

test('calls are parsed with their names and arguments, whatever content is between them', () => {
  const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }))
  const someCalls = fc.array(fc.record({ name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/), args: json }), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.constantFrom('', 'Let me look. ', '日本'), someCalls, anyCuts, (said, wanted, cuts) => {
      const whole = said + wanted.map(({ name, args }) => callText(name, args)).join('\n')
      const read = parseOutput(cutBytes(Buffer.from(whole), cuts), { maxCalls: 16, stops: ['"', '}'] })
      expect(read.content).toBe(said.trimEnd())
      expect(read.calls.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name))
      expect(read.calls.map((call) => call.arguments)).toEqual(wanted.map(({ args }) => JSON.stringify(args)))
      expect(new Set(read.calls.map(({ id }) => id)).size).toBe(wanted.length)
      expect(read.stopped).toBe(false)
    }),
  )
})

test('the last call that is allowed ends the choice', () => {
  const whole = `${callText('f', { a: 1 })}\n${callText('g', {})}`
  expect(parseOutput([Buffer.from(whole)], { maxCalls: 1 })).toMatchObject({
    stopped: true,
    content: '',
    calls: [{ name: 'f', arguments: '{"a":1}' }],
  })
})

test('reasoning is separate from content, and a stop sequence in it is part of it', () => {
  fc.assert(
    fc.property(anyCuts, (cuts) => {
      const bytes = Buffer.from(`<think>\nEND? 日本</thin\n</think>\n\nYes.${callText('f', {})}`)
      const read = parseOutput(cutBytes(bytes, cuts), { reasoning: true, stops: ['END'], maxCalls: 16, logprobs: true })
      expect(read).toMatchObject({ reasoning: '\nEND? 日本</thin\n', content: 'Yes.', calls: [{ name: 'f' }] })
      expect(read.logprobBytes).toBe(Buffer.from('Yes.').toString('hex'))
    }),
  )
})

test('a stop sequence in what was held back until the end ends the choice', () => {
  const tokens = ['Hello', '\n'].map((token) => Buffer.from(token))
  expect(parseOutput(tokens, { stops: ['\n'], maxCalls: 1 })).toMatchObject({ content: 'Hello', stopped: true })
})
