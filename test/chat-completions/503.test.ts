import { expect, test } from 'vitest'
import type { Script } from '../../src/engine/scripted.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const expectRefusal = async (response: Response, code: string, retryAfterMs: number): Promise<void> => {
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after-ms')).toBe(String(retryAfterMs))
  expect(response.headers.get('retry-after')).toBe(String(Math.ceil(retryAfterMs / 1000)))
  expect(await readError(response)).toMatchObject({ type: 'server_error', param: null, code })
}

/** Answers that begin and then wait for `go`; `begun` when there are this many. */
const createHeldAnswer = (expected = 1) => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  let count = 0
  const answer: Script = function* () {
    yield 'first'
    count += 1
    if (count === expected) begun.resolve()
    yield { pause: go.promise }
    yield 'last'
  }
  return { answer, begun: begun.promise, go: go.resolve }
}

test('while the model loads, requests get a retryable error and /readyz gives the reason', async () => {
  const helix = await startHelix()
  helix.engine.setState('loading')
  for (const stream of [false, true]) await expectRefusal(await helix.chat({ stream }), 'engine_loading', 1500)
  const unready = await fetch(`${helix.url}/readyz`)
  expect(unready.status).toBe(503)
  expect(await unready.json()).toEqual({ status: 'not_ready', checks: { model: 'loading', store: 'ok' } })
  expect((await fetch(`${helix.url}/healthz`)).status).toBe(200)
  const unhealthy = await fetch(`${helix.url}/health`)
  expect([unhealthy.status, await unhealthy.json()]).toEqual([503, { status: 'unavailable' }])

  helix.engine.setState('ready')
  expect((await helix.chat({})).status).toBe(200)
  const ready = await fetch(`${helix.url}/readyz`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toEqual({ status: 'ready', checks: { model: 'ready', store: 'ok' } })
  const healthy = await fetch(`${helix.url}/health`)
  expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }])
})

test('a full queue refuses at once, and accepts the next request when there is space again', async () => {
  const held = createHeldAnswer()
  const helix = await startHelix({ answer: held.answer, engine: { slots: 1 }, config: { queueLimit: 0 } })
  const first = helix.chat({})
  await held.begun
  for (const stream of [false, true]) await expectRefusal(await helix.chat({ stream }), 'queue_full', 2000)
  held.go()
  expect((await first).status).toBe(200)
  expect((await helix.chat({})).status).toBe(200)
})

test('a wait that is too long ends with an error, and the running request continues', async () => {
  const clock = createManualClock()
  const held = createHeldAnswer()
  const helix = await startHelix({ clock, answer: held.answer, engine: { slots: 1 }, config: { queueTimeoutMs: 7000 } })
  const first = helix.chat({})
  await held.begun
  const second = helix.chat({ stream: true })
  await clock.awaited(7000)
  clock.advance(7000)
  await expectRefusal(await second, 'queue_timeout', 2000)
  held.go()
  expect(await (await first).json()).toMatchObject({ choices: [{ message: { content: 'firstlast' } }] })
})

test('shutdown finishes running requests, refuses new ones and closes all connections', async () => {
  const held = createHeldAnswer()
  const helix = await startHelix({ clock: createManualClock(), answer: held.answer })
  const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] })
  const request = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: helix',
    `authorization: Bearer ${helix.key}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  const connection = await openRawConnection(helix.url)
  const silent = await openRawConnection(helix.url)
  connection.send(request)
  await held.begun
  const closing = helix.server.close()
  connection.send(request)
  held.go()
  expect(await connection.answer()).toMatchObject({ status: 200, body: expect.stringContaining('firstlast') })
  const refused = await connection.answer()
  expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('"shutting_down"') })
  expect(refused.headers.get('connection')).toBe('close')
  expect(refused.headers.get('retry-after-ms')).toBe('1000')
  // Time stands still in this test: neither of these waited for the end of the grace.
  expect(await connection.ended()).toBe('')
  expect(await silent.ended()).toBe('')
  await closing
  const requestId = refused.headers.get('x-request-id')
  expect(await helix.logged({ requestId })).toMatchObject({ status: 503, error: 'shutting_down' })
})

test('requests that outlast the grace period end with an error, as JSON or as an event', async () => {
  const clock = createManualClock()
  const held = createHeldAnswer(2)
  const helix = await startHelix({ clock, answer: held.answer, config: { shutdownGraceMs: 3000 } })
  const stream = await helix.chat({ stream: true })
  const plain = helix.chat({})
  await held.begun
  const uploading = await openRawConnection(helix.url)
  const half = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${helix.key}\r\ncontent-length: 9\r\n\r\n{`
  uploading.send(`GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n${half}`)
  await uploading.answer()

  const closing = helix.server.close()
  clock.advance(3000)
  const events = await readEvents(stream)
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ error: { type: 'server_error', code: 'shutting_down' } })
  await expectRefusal(await plain, 'shutting_down', 1000)
  expect((await uploading.answer()).status).toBe(503)
  expect(await helix.logged({ event: 'grace_period_expired' })).toMatchObject({ level: 'warn', graceMs: 3000 })
  // The last one still owes the rest of its body: it has two seconds more to see the answer.
  clock.advance(2000)
  await closing
  expect(await uploading.ended()).toBe('')
})
