import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import OpenAI from 'openai'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../src/base/api-error.ts'
import { openScriptedEngine } from '../src/engine/scripted.ts'
import { createManualClock } from './harness/manual-clock.ts'
import { type Helix, modelName, openHelix, startHelix } from './harness/start-helix.ts'

/** The official client, as an application would use it: only the address and the key are ours. */
const clientOf = ({ baseUrl: baseURL, key }: Pick<Helix, 'baseUrl' | 'key'>, more = {}): OpenAI =>
  new OpenAI({ baseURL, apiKey: key, maxRetries: 0, ...more })
const question = { model: modelName, messages: [{ role: 'user' as const, content: 'Hi' }] }
const failure = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error) => error,
  )

let helix: Helix
let client: OpenAI
beforeAll(async () => {
  helix = await openHelix({ engine: { slots: 1 }, answer: (messages) => answers[messages[0]?.content ?? ''] ?? hello })
  client = clientOf(helix)
  return helix.close
})
const hello = ['Hello', ', ', 'world', '!']
const answers: Record<string, Iterable<string | { pause: Promise<never> } | { fail: Error }>> = {
  wait: ['first', { pause: new Promise<never>(() => {}) }],
  fail: ['first', { fail: new Error('broken') }],
}
const saying = (content: string) => ({ ...question, messages: [{ role: 'user' as const, content }] })

test('create: a completion, its usage and its request id', async () => {
  const completion = await client.chat.completions.create(question)
  expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello, world!' } })
  expect(completion.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 })
  expect(completion._request_id).toMatch(/^req_/)
})

test('create with stream: the chunks in order', async () => {
  const stream = await client.chat.completions.create({ ...question, stream: true })
  const pieces = await Array.fromAsync(stream, (chunk) => chunk.choices[0]?.delta.content)
  expect(pieces).toEqual(['', 'Hello', ', ', 'world', '!', undefined])
})

test('stream(): the helper assembles the whole answer, with its usage', async () => {
  const stream = client.chat.completions.stream({ ...question, stream_options: { include_usage: true } })
  const heard: string[] = []
  stream.on('content', (delta) => heard.push(delta))
  const final = await stream.finalChatCompletion()
  expect(heard.join('')).toBe('Hello, world!')
  expect(final.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello, world!' } })
  expect(await stream.totalUsage()).toMatchObject({ total_tokens: 6 })
})

test('an answer that is aborted midway frees the only slot', async () => {
  const stream = await client.chat.completions.create({ ...saying('wait'), stream: true })
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'first') break
  const leaving = new AbortController()
  const queued = failure(client.chat.completions.create(saying('wait'), { signal: leaving.signal }))
  leaving.abort()
  expect(await queued).toBeInstanceOf(OpenAI.APIUserAbortError)
  expect((await client.chat.completions.create(question)).choices[0]?.message.content).toBe('Hello, world!')
})

test('models: list and retrieve', async () => {
  const models = await Array.fromAsync(client.models.list())
  expect(models.map(({ id }) => id)).toEqual([modelName])
  expect(await client.models.retrieve(modelName)).toMatchObject({ id: modelName, object: 'model' })
  expect(await failure(client.models.retrieve('a/b'))).toBeInstanceOf(OpenAI.NotFoundError)
})

test('errors are of the classes that applications catch', async () => {
  const stranger = clientOf({ ...helix, key: 'sk-1234567890123456789' })
  const unauthorized = await failure(stranger.chat.completions.create(question))
  expect(unauthorized).toBeInstanceOf(OpenAI.AuthenticationError)
  expect(unauthorized).toMatchObject({
    status: 401,
    code: 'invalid_api_key',
    requestID: expect.stringMatching(/^req_/),
  })

  const unknown = await failure(client.chat.completions.create({ ...question, model: 'none' }))
  expect(unknown).toBeInstanceOf(OpenAI.NotFoundError)
  expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' })

  const wrong = await failure(client.chat.completions.create({ ...question, temperature: 3, stream: true }))
  expect(wrong).toBeInstanceOf(OpenAI.BadRequestError)
  expect(wrong).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    code: 'decimal_above_max_value',
    param: 'temperature',
  })
})

test('a failure during a stream is thrown, not taken for the end', async () => {
  const stream = await client.chat.completions.create({ ...saying('fail'), stream: true })
  const error = await failure(Array.fromAsync(stream))
  expect(error).toBeInstanceOf(OpenAI.APIError)
  expect(error).toMatchObject({ code: 'internal_error', type: 'server_error' })
  expect(await failure(client.chat.completions.stream(saying('fail')).finalContent())).toBeInstanceOf(OpenAI.APIError)
})

test('the client ignores pings', async () => {
  const clock = createManualClock()
  const more = Promise.withResolvers<void>()
  const slow = await startHelix({ clock, answer: () => ['a', { pause: more.promise }, 'b'] })
  const stream = await clientOf(slow).chat.completions.create({ ...question, stream: true })
  const pieces: (string | null | undefined)[] = []
  for await (const chunk of stream) {
    pieces.push(chunk.choices[0]?.delta.content)
    if (pieces.at(-1) !== 'a') continue
    for (let beat = 0; beat < 3; beat += 1) clock.advance(10_000)
    more.resolve()
  }
  expect(pieces).toEqual(['', 'a', 'b', undefined])
})

test('the client retries automatically after the stated wait', async () => {
  const engine = openScriptedEngine({ model: { id: modelName }, answer: () => hello })
  let refusals = 2
  const loading = await startHelix({
    startEngine: () => ({
      ...engine,
      prepare(messages, signal) {
        refusals -= 1
        if (refusals >= 0) throw ApiError.of('engine_loading', {}, { retryAfterMs: 5 })
        return engine.prepare(messages, signal)
      },
    }),
  })
  const attempts: (string | null)[] = []
  const patient = clientOf(loading, {
    maxRetries: 2,
    fetch(url: string, init: RequestInit) {
      attempts.push(new Headers(init.headers).get('x-stainless-retry-count'))
      return fetch(url, init)
    },
  })
  const completion = await patient.chat.completions.create(question)
  expect(completion.choices[0]?.message.content).toBe('Hello, world!')
  expect(attempts).toEqual(['0', '1', '2'])
})

test('over HTTPS with a self-signed certificate that the client trusts', async () => {
  const secure = await startHelix({ config: { tls: 'self-signed' } })
  const distrusting = await failure(clientOf(secure).chat.completions.create(question))
  expect(distrusting).toBeInstanceOf(OpenAI.APIConnectionError)

  const trusted = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(trusted))
  setDefaultCACertificates([...trusted, readFileSync(`${secure.dataDir}/tls/self-signed.crt`, 'utf8')])
  const trusting = clientOf(secure)
  const completion = await trusting.chat.completions.create(question)
  expect(completion.choices[0]?.message.content).toBe('Hello, world!')
  const stream = await trusting.chat.completions.create({ ...question, stream: true })
  const pieces = await Array.fromAsync(stream, (chunk) => chunk.choices[0]?.delta.content ?? '')
  expect(pieces.join('')).toBe('Hello, world!')
})
