import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'

const prompt = (content: string) => ({ messages: [{ role: 'user', content }] })
/** Answers 'wait' with one token and then nothing more, everything else with 'ok'. */
const startWaiting = async (config = {}) => {
  const begun = Promise.withResolvers<void>()
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    engine: { slots: 1 },
    config,
    *answer(messages) {
      if (messages[0]?.content !== 'wait') return yield 'ok'
      yield 'first'
      begun.resolve()
      yield { pause: new Promise(() => {}) }
    },
  })
  return { helix, clock, begun: begun.promise }
}
const rawRequest = (helix: Helix, body: Record<string, unknown>): string => {
  const json = JSON.stringify({ model: modelName, ...body })
  const lines = ['POST /v1/chat/completions HTTP/1.1', 'host: x', `authorization: Bearer ${helix.key}`]
  return `${lines.join('\r\n')}\r\ncontent-length: ${json.length}\r\n\r\n${json}`
}

test.each([
  [18, true],
  [19, false],
])('%i: a client that disconnects during the answer frees the slot (stream: %s)', async (_, stream) => {
  const { helix, begun } = await startWaiting()
  const leaving = new AbortController()
  const asked = helix
    .chat({ ...prompt('wait'), stream }, { signal: leaving.signal })
    .then((response) => response.text())
  await begun
  expect(helix.engine.active()).toBe(1)
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
  // This one is answered only if the one slot is free.
  expect(await (await helix.chat(prompt('next'))).json()).toMatchObject({ choices: [{ message: { content: 'ok' } }] })
  expect(helix.engine.active()).toBe(0)
  expect(await helix.logged({ status: 499 })).toMatchObject({
    event: 'request',
    level: 'info',
    clientClosed: true,
    stream,
    promptTokens: 2,
    // What a client did not receive is not counted.
    completionTokens: stream ? 1 : 0,
  })
  expect(helix.logLines.filter((line) => line.includes('"error"'))).toEqual([])
})

test('a client that disconnects frees its position in the queue', async () => {
  const { helix, clock, begun } = await startWaiting({ queueLimit: 1, queueTimeoutMs: 7000 })
  const first = new AbortController()
  const second = new AbortController()
  void helix.chat(prompt('wait'), { signal: first.signal }).catch(() => {})
  await begun
  const queued = helix.chat(prompt('queued'), { signal: second.signal })
  await clock.awaited(7000)
  expect((await helix.chat(prompt('too many'))).status).toBe(503)
  second.abort()
  await expect(queued).rejects.toThrow('aborted')
  await helix.logged({ status: 499 })
  const third = helix.chat(prompt('third'))
  await clock.awaited(7000)
  first.abort()
  expect((await third).status).toBe(200)
})

test('a client that disconnects while it sends its body is not an error', async () => {
  const { helix } = await startWaiting()
  const connection = await openRawConnection(helix.url)
  connection.send(`GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n${rawRequest(helix, prompt('never')).slice(0, -5)}`)
  await connection.answer()
  connection.socket.destroy()
  expect(await helix.logged({ event: 'request', path: '/v1/chat/completions' })).toMatchObject({
    level: 'info',
    status: 499,
    clientClosed: true,
  })
})

test('when a client disconnects, its pipelined requests are cancelled too', async () => {
  const { helix, begun } = await startWaiting()
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequest(helix, { ...prompt('wait'), stream: true }) + rawRequest(helix, prompt('wait')))
  await begun
  connection.socket.destroy()
  expect((await helix.chat(prompt('next'))).status).toBe(200)
  expect(helix.engine.active()).toBe(0)
  const left = () => helix.logLines.filter((line) => line.includes('"status":499')).length
  await helix.logged({ status: 200, path: '/v1/chat/completions' })
  expect(left()).toBe(2)
})

test('what a client does not read waits in bounded memory, then its answer pauses, and no other is delayed', async () => {
  const wholeTokens = 2000
  const piece = 'x'.repeat(10_000)
  let made = 0
  const helix = await startHelix({
    // The last one is kept for others.
    engine: { slots: 3 },
    config: { answerLimitBytes: 1_048_576 },
    *answer(messages) {
      if (messages[0]?.content !== 'much') return yield 'ok'
      for (; made < wholeTokens; made += 1) yield piece
    },
  })
  const response = await helix.chat({ ...prompt('much'), stream: true })
  // Fetch reads a little in advance, and the kernel buffers some; then the answer has to pause.
  let before: number
  do {
    before = made
    expect((await helix.chat(prompt('other'))).status).toBe(200)
  } while (made !== before)
  expect(made).toBeLessThan(wholeTokens - 500)
  const text = await response.text()
  expect(made).toBe(wholeTokens)
  expect(text.split(piece)).toHaveLength(wholeTokens + 1)
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('a client that reads nothing is disconnected, and others get its slot', async () => {
  const clock = createManualClock()
  const piece = 'x'.repeat(10_000)
  const helix = await startHelix({
    clock,
    engine: { slots: 1 },
    *answer(messages) {
      if (messages[0]?.content !== 'much') return yield 'ok'
      for (;;) yield piece
    },
  })
  const stalled = await openRawConnection(helix.url)
  stalled.socket.pause()
  stalled.send(rawRequest(helix, { ...prompt('much'), stream: true }))
  await clock.awaited(30_000)
  const waiting = helix.chat(prompt('other'))
  clock.advance(30_000)
  expect((await waiting).status).toBe(200)
  expect(helix.engine.active()).toBe(0)
})
