import OpenAI from 'openai'
import { beforeAll, expect, test } from 'vitest'
import { postChat } from '../harness/post-chat.ts'
import { processGone } from '../harness/process-gone.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

/** One server whose engine is killed once; the tests follow what its users see, in order. */
let program: Program
let service: { url: string; key: string }
let enginePid: number
beforeAll(async () => {
  program = await startProgram()
  enginePid = await program.engineReady()
  service = { url: program.url, key: await program.createKey() }
})
const long = 'Count from one to one hundred, in words.'
const readiness = async () => {
  const response = await fetch(`${program.url}/readyz`)
  return { status: response.status, body: await response.json() }
}

test('if it is killed during two answers, both end with an error', async () => {
  expect(await readiness()).toMatchObject({ status: 200, body: { checks: { model: 'ready' } } })
  const whole = postChat(service, long)
  // The same question at the same time: once the first token of this one is there, that one is being answered too.
  const stream = await postChat(service, long, { stream: true })
  expect(stream.status).toBe(200)
  process.kill(enginePid, 'SIGKILL')

  const events = (await readEvents(stream)).map((data) => JSON.parse(data))
  expect(events.length).toBeGreaterThan(1)
  expect(events.filter((event) => 'error' in event)).toEqual([events.at(-1)])
  expect(events.at(-1).error).toMatchObject({ type: 'server_error', code: 'engine_failed' })

  const response = await whole
  expect(response.status).toBe(500)
  expect(await readError(response)).toMatchObject({ code: 'engine_failed' })
})

test('until it is back, requests get a retryable error with a wait', async () => {
  const response = await postChat(service, 'Hi')
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(response.headers.get('retry-after-ms'))).toBeGreaterThan(0)
  expect(await readError(response)).toMatchObject({ code: 'engine_loading' })
  expect(await readiness()).toMatchObject({ status: 503, body: { checks: { model: 'loading', store: 'ok' } } })
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200)
})

test('the official client retries automatically and gets its answer', async () => {
  const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 20 })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const completion = await client.chat.completions.create({ model: 'helix-v1', messages, max_tokens: 8 })
  expect(completion.choices[0]?.message.content).toMatch(/\S/)
})

test('a new process has taken over, and the log says what happened', async () => {
  expect(await program.logged({ event: 'engine_exited' })).toMatchObject({ level: 'error', signal: 'SIGKILL' })
  const { pid } = await program.logged({ event: 'engine_ready' }, 2)
  expect(pid).not.toBe(enginePid)
  expect(await readiness()).toMatchObject({ status: 200 })
  expect((await postChat(service, 'Hi', { max_tokens: 8 })).status).toBe(200)
  expect(await program.stop()).toBe(0)
  await processGone(Number(pid))
})
