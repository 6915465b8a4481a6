import { expect, test } from 'vitest'
import { findMissingMedia } from './missing-media.ts'
import { repeatableQuestion } from './repeatable-question.ts'

const lacksMedia = (body: string): boolean => findMissingMedia(body).files.length > 0

test('a chat request is asked again with its parameters, as one streamed answer that is not stored', () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  const stored = { model: 'a', messages, temperature: 0, n: 3, stream: false, store: true, metadata: { a: 'b' } }
  expect(repeatableQuestion(stored)).toEqual({ model: 'a', messages, temperature: 0 })
})

test.each([{ model: 'a', input: 'Hi' }, {}, { messages: [] }])('what is no chat request is not: %j', (body) => {
  expect(repeatableQuestion(body)).toBeNull()
})

test('a body whose images or audio were not stored is told from one that only speaks of them', () => {
  const ask = (content: unknown) => JSON.stringify({ model: 'a', messages: [{ role: 'user', content }] })
  const image = { type: 'image_url', image_url: { url: '[image/png, 70 bytes]' } }
  expect(lacksMedia(ask([{ type: 'text', text: 'What is this?' }, image]))).toBe(true)
  expect(lacksMedia(ask([{ type: 'input_audio', input_audio: { data: '[audio/wav, 9 bytes]', format: 'wav' } }]))).toBe(
    true,
  )
  expect(lacksMedia(ask('What does [image/png, 70 bytes] mean?'))).toBe(false)
  expect(lacksMedia(ask([{ type: 'image_url', image_url: { url: 'https://example.com/cat.png' } }]))).toBe(false)
})
