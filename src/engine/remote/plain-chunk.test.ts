import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCuts, cutBytes } from '../../../test/harness/cut-bytes.ts'
import { quoteJson } from '../../base/quote-json.ts'
import type { EngineEvent } from '../contract.ts'
import { createAnswerReader } from './answer-reader.ts'
import { createEventData, type EventValue } from './event-data.ts'
import { createPlainChunk, type PlainChunk } from './plain-chunk.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('"', '\\', '\n', 'a"content":"b', '{}', '"}', '\\"', '\u2028', '\u0000', '\ud83d', '\ude00', ''),
  fc.constantFrom('probe', 'other'),
)
/** A chunk as most upstreams write it, in which only the text differs. */
const usual = (content: string): object => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
})
/** Chunks of which most are alike, and others that only look alike: each may say something besides its text. */
const anyChunk = anyText.chain((content) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(usual(content)) },
    fc.constantFrom<object>(
      { ...usual(content), usage: { prompt_tokens: content.length } },
      { ...usual(content), error: { message: content } },
      { id: 'c', choices: [{ delta: { role: 'assistant', content, refusal: null } }] },
      { id: 'c', choices: [{ delta: { content, refusal: 'no' } }] },
      { id: 'c', choices: [{ delta: { content, reasoning_content: 'hm' } }] },
      { id: 'c', choices: [{ delta: { content, tool_calls: [{ index: 0, id: 'x', function: { name: 'f' } }] } }] },
      { id: 'c', choices: [{ index: 1, delta: { content } }] },
      { id: 'c', choices: [{ delta: { content }, finish_reason: 'stop' }] },
      { id: 'c', choices: [{ delta: { content }, logprobs: { content: [] } }] },
      { content, choices: [{ delta: { content: 'x' } }] },
      { content, choices: [{ delta: { content: 'probe' } }] },
      { choices: [], usage: { prompt_tokens: 1 } },
      [content],
    ),
  ),
)
/** As JSON in which keys may occur twice, with spaces, or cut short. */
const anyJson = anyChunk.chain((chunk) => {
  const json = JSON.stringify(chunk)
  const twice = json.replace('"delta":{', '"delta":{"content":"first",')
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(json) },
    fc.constantFrom(twice, ` ${json}`, json.slice(0, -1), json.slice(0, -3), `${json}}`, '[DONE]', '"content"'),
  )
})
const anyEnd = fc.oneof(
  { weight: 10, arbitrary: fc.constant('\n\n') },
  fc.constantFrom('\n', '\r\n\r\n', '\r\r', '\n\n\n', '\n: ping\n\n'),
)
const anyEvent = fc.tuple(fc.constantFrom('data: ', 'data: ', 'data: ', 'data:'), anyJson, anyEnd)

type Read = { events: EngineEvent[]; reason: unknown; usage: unknown; error: string | null }

const readStream = (parts: readonly Buffer[], plain: PlainChunk | null): { read: Read; texts: number } => {
  const data = createEventData(plain)
  const reader = createAnswerReader({ logprobs: false, redact: (text) => text })
  const events: EngineEvent[] = []
  let texts = 0
  let error: string | null = null
  const add = (values: readonly EventValue[]): void => {
    for (const value of values)
      if ('texts' in value) {
        texts += value.texts.length
        reader.readTexts(value.texts, events)
      } else reader.read(value.json, events)
  }
  try {
    for (const part of parts) if (!data.isDone()) add(data.push(part))
    add(data.end())
    reader.end(events)
  } catch (thrown) {
    error = String(thrown)
  }
  // Calls get ids of their own.
  const alike = events.map((event): EngineEvent => (event.type === 'call' ? { ...event, id: '' } : event))
  return { read: { events: alike, reason: reader.reason(), usage: reader.usage(), error }, texts }
}

test('a stream gives the same events, counts and errors whether plain chunks are parsed or not, wherever its bytes are cut', () => {
  let texts = 0
  fc.assert(
    fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 16 }), anyCuts, (events, cuts) => {
      const parts = cutBytes(Buffer.from(events.flat().join('')), cuts).map((part) => Buffer.from(part))
      const scanned = readStream(parts, createPlainChunk())
      texts += scanned.texts
      expect(scanned.read).toEqual(readStream(parts, null).read)
    }),
  )
  expect(texts).toBeGreaterThan(20)
})

test('arbitrary bytes are read as they are without plain chunks', () => {
  const start = `data: ${JSON.stringify(usual('a'))}\n\n`
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(start.length), anyCuts, (noise, at, cuts) => {
      const bytes = Buffer.concat([Buffer.from(start + start.slice(0, at)), noise])
      const parts = cutBytes(bytes, cuts).map((part) => Buffer.from(part))
      expect(readStream(parts, createPlainChunk()).read).toEqual(readStream(parts, null).read)
    }),
  )
})

test('after the first chunk of a usual stream none is parsed', () => {
  const text = ['a', ' b', '日本', '😀', ' '].map((content) => `data: ${JSON.stringify(usual(content))}\n\n`).join('')
  expect(readStream([Buffer.from(text)], createPlainChunk()).texts).toBe(4)
})

test('texts are quoted as JSON.stringify quotes them, halves of characters included', () => {
  const unit = fc.oneof(
    fc.array(fc.nat(0xffff), { maxLength: 80 }).map((units) => String.fromCharCode(...units)),
    fc.string({ maxLength: 80 }),
    fc.constantFrom('\ud83d', '\udc00', '"', '\\', '\u007f'),
  )
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 6 }).map((parts) => parts.join('')),
      (text) => {
        expect(quoteJson(text)).toBe(JSON.stringify(text))
      },
    ),
  )
})
