import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callText } from '../../../../test/harness/call-text.ts'
import { createSegments } from './segments.ts'
import type { Segment } from './tool-call-parser.ts'

const parts = ['a', ' ', '\n', '日', '<', '<think>', '</think>', '<tool_call>', '</tool_call>', '{"name": "f",', '"']
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(...parts, callText('f', { a: [1, '}'] }), callText('g', {})),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  ),
  { maxLength: 20 },
)
const modes = fc.record({ calls: fc.boolean(), reasoning: fc.boolean() })

const readSegments = (texts: string[], mode: { calls: boolean; reasoning: boolean }): Segment[] => {
  const segments = createSegments(mode)
  return [...texts.flatMap((text) => segments.push(text)), ...segments.flush()]
}
/** Adjacent segments of one kind are joined. */
const merged = (segments: readonly Segment[]): [string, string][] => {
  const all: [string, string][] = []
  for (const segment of segments) {
    const kind = segment.type === 'call' ? `call ${segment.name}` : segment.type
    const last = all.at(-1)
    if (last?.[0] === kind && segment.type !== 'call') last[1] += segment.source
    else all.push([kind, segment.source])
  }
  return all
}

test('nothing is lost: the sources of all segments, joined, are what the model wrote', () => {
  fc.assert(
    fc.property(pieces, modes, (texts, mode) => {
      const sources = readSegments(texts, mode).map(({ source }) => source)
      expect(sources.join('')).toBe(texts.join(''))
    }),
    { numRuns: 1000 },
  )
})

test('the segments do not depend on how the text is divided', () => {
  fc.assert(
    fc.property(pieces, modes, (texts, mode) => {
      const whole = merged(readSegments([texts.join('')], mode))
      expect(merged(readSegments(texts, mode))).toEqual(whole)
      expect(merged(readSegments([...texts.join('')], mode))).toEqual(whole)
    }),
    { numRuns: 1000 },
  )
})

test('text is passed on immediately, unless it may be the beginning of a call or white space before one', () => {
  const segments = createSegments({ calls: true, reasoning: false })
  expect(segments.push('Hello')).toEqual([{ type: 'content', source: 'Hello' }])
  expect(segments.push(', world \n')).toEqual([{ type: 'content', source: ', world' }])
  expect(segments.push('again <to')).toEqual([{ type: 'content', source: ' \nagain' }])
  expect(segments.push('tal>')).toEqual([{ type: 'content', source: ' <total>' }])
})

test('a call begins once its name is complete, and its arguments are passed on as they arrive', () => {
  const segments = createSegments({ calls: true, reasoning: false })
  expect(segments.push('<tool_call>\n{"name": "get_wea')).toEqual([])
  expect(segments.push('ther", "arguments": ')).toMatchObject([
    { type: 'call', name: 'get_weather' },
    { type: 'dropped', source: ' ' },
  ])
  expect(segments.push('{"city": "To')).toEqual([{ type: 'arguments', source: '{"city": "To' }])
  expect(segments.push('kyo"}}')).toEqual([
    { type: 'arguments', source: 'kyo"}' },
    { type: 'call-end', source: '' },
    { type: 'dropped', source: '}' },
  ])
})

test.each([
  [
    'empty reasoning',
    '<think>\n\n</think>\n\nHi',
    [
      ['reasoning', '\n\n'],
      ['content', 'Hi'],
    ],
  ],
  ['no reasoning', 'Hi <think>', [['content', 'Hi <think>']]],
  ['reasoning without an end', ' <think>so', [['reasoning', 'so']]],
  ['blanks only', ' \n', [['content', ' \n']]],
])('%s', (_, text, expected) => {
  const parsed = merged(readSegments([text], { calls: true, reasoning: true })).filter(([kind]) => kind !== 'dropped')
  expect(parsed).toEqual(expected)
})

test.each([
  ['a call without arguments', '<tool_call>{"name": "f"}</tool_call>'],
  ['a call with a name that is no JSON', '<tool_call>{"name": "\\x", "arguments": {}}</tool_call>'],
  ['anything else between the tags', '<tool_call>hello</tool_call>'],
])('%s is content', (_, text) => {
  expect(merged(readSegments([text], { calls: true, reasoning: false }))).toEqual([['content', text]])
})
