import { beforeAll, expect, test } from 'vitest'
import { postChat } from '../harness/post-chat.ts'
import { readError } from '../harness/read-error.ts'
import { contentOf, readChunks, readEvents } from '../harness/read-events.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

/** One Helix with the real model, and another in front of it. */
type Service = { url: string; key: string }
let back: Program
let front: Program
let backService: Service
let frontService: Service
beforeAll(async () => {
  back = await startProgram()
  await back.engineReady()
  backService = { url: back.url, key: await back.createKey() }
  front = await startFront(backService.key)
  frontService = { url: front.url, key: await front.createKey() }
})
const startFront = (key: string): Promise<Program> =>
  startProgram({
    env: {
      HELIX_UPSTREAM_URL: `${back.url}/v1`,
      HELIX_UPSTREAM_MODEL: 'helix-v1',
      HELIX_UPSTREAM_KEY: key,
      HELIX_MODEL_NAME: 'front-model',
      // What asks for too much has to get as far as the upstream.
      HELIX_ORGANISATION_TOKENS_PER_MINUTE: '0',
    },
  })
const model = 'front-model'
const question = '日本の首都はどこですか。'
const greedy = { temperature: 0, max_tokens: 16 }
type Completion = { choices: { message: { content: string } }[]; usage: object }
const answerOf = async (response: Response): Promise<Completion> => (await response.json()) as Completion

test('the answer, its end and its counts are those of the upstream, whole and streamed', async () => {
  // From the second time on the prompt is in memory, and the counts say so.
  await answerOf(await postChat(backService, question, greedy))
  const direct = await answerOf(await postChat(backService, question, greedy))
  const { choices, usage } = await answerOf(await postChat(frontService, question, { ...greedy, model }))
  expect({ choices, usage }).toEqual({ choices: direct.choices, usage: direct.usage })

  const options = { ...greedy, model, stream: true, stream_options: { include_usage: true } }
  const chunks = await readChunks(await postChat(frontService, question, options))
  expect(contentOf(chunks)).toBe(direct.choices[0]?.message.content)
  expect(chunks.at(-1)).toMatchObject({ model, usage: direct.usage })
})

test('what the upstream refuses is refused here, with its reason', async () => {
  const response = await postChat(frontService, 'Hi', { model, max_tokens: 1_000_000 })
  expect(response.status).toBe(400)
  expect((await readError(response)).message).toContain('maximum context length')
})

test('a caller who leaves frees the upstream as well', async () => {
  const leaving = new AbortController()
  const long = 'Count from one to one hundred, in words.'
  const response = await postChat(frontService, long, { model, stream: true }, leaving.signal)
  expect(response.status).toBe(200)
  leaving.abort()
  const path = '/v1/chat/completions'
  await Promise.all([front, back].map(({ logged }) => logged({ event: 'request', path, clientClosed: true })))
})

test('a wrong key for the upstream is not told to callers', async () => {
  const wrongKey = backService.key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  const stranger = await startFront(wrongKey)
  const response = await postChat({ url: stranger.url, key: await stranger.createKey() }, 'Hi', { model })
  expect(response.status).toBe(502)
  const error = await readError(response)
  expect(error).toMatchObject({ code: 'upstream_failed' })
  expect(error.message).not.toMatch(/key|401/i)
  expect(await stranger.logged({ event: 'request_failed' })).toMatchObject({ cause: expect.stringContaining('401') })
  expect(await stranger.stop()).toBe(0)
  expect(stranger.stderr.lines.join('\n')).not.toContain(wrongKey.slice(12))
})

test('an upstream that goes away in the middle of an answer ends it with an error event', async () => {
  const response = await postChat(frontService, 'Count from one to one hundred.', { model, stream: true })
  expect(response.status).toBe(200)
  await back.stop('SIGKILL')
  const events = await readEvents(response)
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ error: { code: 'upstream_failed' } })
})

test('an upstream that is down is a 502, and the front stays up', async () => {
  const response = await postChat(frontService, 'Hi', { model })
  expect(response.status).toBe(502)
  expect(await readError(response)).toMatchObject({ code: 'upstream_failed' })
  expect((await fetch(`${front.url}/healthz`)).status).toBe(200)
  expect(await front.stop()).toBe(0)
})
