import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteJson } from '../../base/quote-json.ts'
import { createRepeatedChunk } from './repeated-chunk.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('"', '\\', '\n', 'a"content":"b', '{}', '"}', '\\"', '\u2028', '\u0000'),
)
const delta = (content: string) =>
  fc.constantFrom<object>({ content }, { role: 'assistant', content }, { content, refusal: null })
/** Chunks as upstreams write them, most of them alike, and others that only look alike. */
const anyChunk = anyText.chain((content) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constant({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
    },
    fc.record({ id: fc.constant('c'), choices: fc.tuple(fc.record({ delta: delta(content) })) }),
    fc.record({
      content: fc.constant(content),
      choices: fc.tuple(fc.record({ delta: delta('x') })),
      usage: fc.constant(null),
    }),
    fc.constant({ choices: [{ delta: { reasoning_content: content } }] }),
    fc.constant({ choices: [], usage: { prompt_tokens: content.length } }),
    fc.constant({ error: { message: content } }),
  ),
)
/** In JSON a key may occur twice: the last one counts. */
const written = anyChunk.chain((chunk) => {
  const json = JSON.stringify(chunk)
  return fc.constantFrom(json, json, json, json.replace('"delta":{', '"delta":{"content":"first",'), ` ${json}`)
})

test('chunks that are not parsed have the values that parsing gives, whatever came before', () => {
  let repeated = 0
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 12 }), (chunks) => {
      const chunk = createRepeatedChunk()
      for (const json of chunks) {
        const parsed: unknown = JSON.parse(json)
        const read = chunk.read(json)
        if (read === undefined) chunk.learn(json, parsed)
        else {
          repeated += 1
          expect(read).toEqual(parsed)
        }
      }
    }),
  )
  expect(repeated).toBeGreaterThan(20)
})

test('a value is not changed by those after it', () => {
  const chunk = createRepeatedChunk()
  const json = (content: string) => JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })
  chunk.learn(json('a'), JSON.parse(json('a')))
  const values = ['b', 'c'].map((text) => chunk.read(json(text)))
  expect(values).toEqual([JSON.parse(json('b')), JSON.parse(json('c'))])
})

test('texts are quoted as JSON.stringify quotes them, halves of characters included', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('\ud83d', '\udc00', '"', '\\', '\u007f'),
  )
  fc.assert(
    fc.property(
      fc.array(unit).map((parts) => parts.join('')),
      (text) => {
        expect(quoteJson(text)).toBe(JSON.stringify(text))
      },
    ),
  )
})
