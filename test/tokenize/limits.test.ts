import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const messages = [{ role: 'user', content: 'Hi' }]

/** Every endpoint that answers something about a prompt and generates nothing. */
test.each([
  ['tokenize', { messages }],
  ['detokenize', { tokens: [1] }],
  ['messages/count_tokens', { messages }],
  ['responses/input_tokens', { input: 'Hi' }],
])('requests to /v1/%s count per minute, together with all others', async (path, body) => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 3 } })
  const count = (sent: object = body) =>
    fetch(`${helix.baseUrl}/${path}`, {
      method: 'POST',
      headers: helix.authorized,
      body: JSON.stringify({ model: modelName, ...sent }),
    })
  expect((await count()).status).toBe(200)
  // What is refused by its body counts as refused instead.
  expect((await count({ unknown: 1 })).status).toBe(400)
  expect((await count()).status).toBe(200)
  expect((await helix.chat({})).headers.get('x-ratelimit-remaining-requests')).toBe('0')
  // Before any of the body is read.
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).post('content-length: 4000000').replace('/v1/chat/completions', `/v1/${path}`))
  const refused = await connection.answer()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('60')
  clock.advance(60_000)
  expect((await count()).status).toBe(200)
})
