import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { contentOf, readChunks, readEvents } from '../harness/read-events.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

test('a stream is a role, pieces of text, a finish and [DONE], all with one id', async () => {
  const helix = await startHelix()
  const response = await helix.chat({ stream: true })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  const chunks = await readChunks(response)
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    { content: 'Hello' },
    { content: ', ' },
    { content: 'world' },
    { content: '!' },
    {},
  ])
  expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, null, null, 'stop'])
  const [first] = chunks
  expect(first).toMatchObject({ object: 'chat.completion.chunk', model: modelName })
  for (const chunk of chunks) {
    expect(chunk).toMatchObject({ id: first?.id, created: first?.created, model: modelName, object: first?.object })
    expect(chunk).not.toHaveProperty('usage')
  }
})

test('with include_usage every chunk has usage null, and one last chunk the counts of the plain answer', async () => {
  const helix = await startHelix()
  const plain = (await (await helix.chat({})).json()) as { usage: unknown }
  const chunks = await readChunks(await helix.chat({ stream: true, stream_options: { include_usage: true } }))
  const last = chunks.pop()
  expect(last).toMatchObject({ choices: [], usage: plain.usage })
  for (const chunk of chunks) expect(chunk.usage).toBeNull()
})

test('a stream that was cut by max_tokens ends as properly as any other', async () => {
  const helix = await startHelix()
  const chunks = await readChunks(await helix.chat({ stream: true, max_tokens: 2 }))
  expect(contentOf(chunks)).toBe('Hello, ')
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length')
})

test('no piece ever holds a part of a character or of a stop text', async () => {
  const family = '👩‍👩‍👧‍👦日本'
  const bytes = [...Buffer.from(`${family}ENDafter`)].map((byte) => Uint8Array.of(byte))
  const helix = await startHelix({ answer: () => bytes })
  const chunks = await readChunks(await helix.chat({ stream: true, stop: 'END' }))
  for (const chunk of chunks) expect(JSON.stringify(chunk)).not.toMatch(/\ufffd|"content":"E/)
  expect(contentOf(chunks)).toBe(family)
})

test('an empty answer is a role, a finish and [DONE]', async () => {
  const helix = await startHelix({ answer: () => [] })
  const chunks = await readChunks(await helix.chat({ stream: true }))
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    {},
  ])
})

test('each token is sent when it is there, not when the answer is complete', async () => {
  const rest = Promise.withResolvers<void>()
  const helix = await startHelix({ answer: () => ['first', { pause: rest.promise }, 'second'] })
  const response = await helix.chat({ stream: true })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('first')) text += (await reader?.read())?.value
  expect(text).not.toContain('second')
  rest.resolve()
  while (!text.includes('[DONE]')) text += (await reader?.read())?.value
  expect(text).toContain('second')
})

test('a fault in the middle of a stream is one error event and the end, without [DONE]', async () => {
  const helix = await startHelix({ answer: () => ['half', { fail: new Error('secret detail') }] })
  const response = await helix.chat({ stream: true })
  expect(response.status).toBe(200)
  const events = await readEvents(response)
  expect(JSON.parse(events.at(-1) ?? '')).toEqual({
    error: {
      message: expect.stringContaining(response.headers.get('x-request-id') ?? '-'),
      type: 'server_error',
      param: null,
      code: 'internal_error',
    },
  })
  expect(events.join()).not.toContain('secret detail')
  expect(helix.logLines.join()).toContain('secret detail')
})

test('a fault before the first token is a JSON error with its own status, also when a stream was asked for', async () => {
  const helix = await startHelix({ answer: () => [{ fail: new Error('early') }] })
  const response = await helix.chat({ stream: true })
  expect(response.status).toBe(500)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({ error: { type: 'server_error', code: 'internal_error' } })
})

test('a pause in a stream is filled with pings that clients ignore', async () => {
  const clock = createManualClock()
  const more = Promise.withResolvers<void>()
  const helix = await startHelix({ clock, answer: () => ['a', { pause: more.promise }, 'b'] })
  const response = await helix.chat({ stream: true })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('"a"')) text += (await reader?.read())?.value
  clock.advance(15_000)
  clock.advance(15_000)
  while (!text.includes(': ping\n\n')) text += (await reader?.read())?.value
  more.resolve()
  while (!text.includes('[DONE]')) text += (await reader?.read())?.value
  expect(text).toMatch(/"b"/)
})

test('fifty streams at once never mix their texts', async () => {
  const helix = await startHelix({ answer: (messages) => [...(messages[0]?.content ?? '')] })
  const prompts = Array.from({ length: 50 }, (_, index) => `${index} `.repeat(20))
  const answers = await Promise.all(
    prompts.map(async (content) =>
      readChunks(await helix.chat({ stream: true, messages: [{ role: 'user', content }] })),
    ),
  )
  expect(answers.map(contentOf)).toEqual(prompts)
  expect(new Set(answers.map(([first]) => first?.id)).size).toBe(50)
})

test('no choice finishes before every choice has begun, even where they are made one after the other', async () => {
  const helix = await startHelix({ engine: { slots: 1 } })
  const chunks = await readChunks(await helix.chat({ stream: true, n: 3 }))
  const choices = chunks.flatMap((chunk) => chunk.choices)
  const lastBegin = choices.findLastIndex(({ delta }) => delta.role === 'assistant')
  const firstFinish = choices.findIndex(({ finish_reason }) => finish_reason !== null)
  expect(firstFinish).toBeGreaterThan(lastBegin)
  for (const index of [0, 1, 2]) {
    const own = choices.filter((choice) => choice.index === index)
    expect(own.map(({ delta }) => delta.content ?? '').join('')).toBe('Hello, world!')
    expect(own.map(({ finish_reason }) => finish_reason)).toEqual([null, null, null, null, null, 'stop'])
  }
})
