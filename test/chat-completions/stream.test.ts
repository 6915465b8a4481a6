import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askBothWays } from '../harness/ask-both-ways.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { contentOf, readChunks, readEvents } from '../harness/read-events.ts'
import { modelName, openHelix, startHelix } from '../harness/start-helix.ts'

test('a stream is a role, pieces of text, a finish and [DONE], all with the same id', async () => {
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
  }
})

test('the pieces of a stream, joined, are the same answer as JSON', async () => {
  const words = ['Hello', ' ', '日本', '👩‍👩‍👧‍👦', '\n', '"', '\\', '\u0000', '\u2028', 'data: [DONE]', '</script>']
  let tokens: string[] = []
  const helix = await openHelix({ answer: () => tokens })
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words)), fc.integer({ min: 1, max: 30 }), async (said, limit) => {
        tokens = said
        const { choices } = await askBothWays(helix, { temperature: 0, max_completion_tokens: limit })
        expect(choices[0]?.message.content).toBe(said.slice(0, limit).join(''))
        expect(choices[0]?.finish_reason).toBe(said.length >= limit ? 'length' : 'stop')
      }),
      { numRuns: 60 },
    )
  } finally {
    await helix.close()
  }
})

test('on the wire every event is a data line and a blank line, and the last is [DONE]', async () => {
  const helix = await startHelix()
  for (const body of [{}, { max_tokens: 1 }, { stop: 'w' }, { n: 2 }]) {
    const text = await (await helix.chat({ stream: true, ...body })).text()
    expect(text).toMatch(/^(data: \{.*\}\n\n)+data: \[DONE\]\n\n$/)
  }
})

test('a stream that was cut off by max_tokens ends like any other', async () => {
  const helix = await startHelix()
  const chunks = await readChunks(await helix.chat({ stream: true, max_tokens: 2 }))
  expect(contentOf(chunks)).toBe('Hello, ')
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length')
})

test('an empty stream has a role, a finish and [DONE]', async () => {
  const helix = await startHelix({ answer: () => [] })
  const chunks = await readChunks(await helix.chat({ stream: true }))
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    {},
  ])
})

test('a stream is never compressed, so that nothing delays its events', async () => {
  const helix = await startHelix()
  const headers = { ...helix.authorized, 'accept-encoding': 'gzip, br', accept: 'application/json' }
  const response = await helix.chat({ stream: true }, { headers })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  await readChunks(response)
})

test('each token is sent as soon as it is generated, not when the answer is complete', async () => {
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

test('a failure during a stream is one error event and the end, without [DONE]', async () => {
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

test('a failure before the first token is a JSON error with its own status, even for a stream', async () => {
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
  clock.advance(10_000)
  clock.advance(10_000)
  while (!text.includes(': ping\n\n')) text += (await reader?.read())?.value
  more.resolve()
  while (!text.includes('[DONE]')) text += (await reader?.read())?.value
  expect(text).toMatch(/"b"/)
})

test('fifty concurrent streams never mix their texts', async () => {
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

test('no choice finishes before every choice has begun, even if they are generated one after the other', async () => {
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
