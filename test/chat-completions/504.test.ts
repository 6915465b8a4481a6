import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { startHelix } from '../harness/start-helix.ts'

const limitMs = 9000
const timeout = {
  message: `The response took longer than the limit of ${limitMs} ms to generate. Request a shorter response.`,
  type: 'server_error',
  param: null,
  code: 'generation_timeout',
}
const forever = { pause: new Promise(() => {}) }
const start = async (answer: (string | typeof forever)[]) => {
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    answer: () => answer,
    engine: { slots: 1 },
    config: { generationTimeoutMs: limitMs },
  })
  return { clock, helix }
}

test.each([
  ['an answer as JSON', false, ['half', forever]],
  ['a stream without a first token', true, [forever]],
])('%s that takes too long is a 504 that should not be retried', async (_, stream, answer) => {
  const { clock, helix } = await start(answer)
  const asked = helix.chat({ stream })
  await clock.awaited(limitMs)
  clock.advance(limitMs)
  const response = await asked
  expect(response.status).toBe(504)
  expect(response.headers.get('x-should-retry')).toBe('false')
  expect(await readError(response)).toEqual(timeout)
  expect(helix.engine.active()).toBe(0)
})

test('a stream that exceeds the time limit ends with an error event, and the slot is freed', async () => {
  const { clock, helix } = await start(['half', forever])
  const response = await helix.chat({ stream: true })
  expect(response.status).toBe(200)
  clock.advance(limitMs)
  const events = await readEvents(response)
  expect(JSON.parse(events.at(-1) ?? '')).toEqual({ error: timeout })
  expect(events).not.toContain('[DONE]')
  expect(await helix.logged({ path: '/v1/chat/completions' })).toMatchObject({
    status: 200,
    error: 'generation_timeout',
  })
  const next = await helix.chat({ stream: true })
  expect(next.status).toBe(200)
  await next.body?.cancel()
})
