import { expect, test } from 'vitest'
import { postApart } from '../harness/ask-apart.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'
import { twoWorkers } from '../harness/start-with-workers.ts'

const chatBody = { model: 'big', messages: [{ role: 'user', content: 'Hi' }] }

const startPassing = () => startHelix({ config: { workers: 2 } })

test('a health check of HTTP/1.0 without a host is answered, as HAProxy sends it', async () => {
  const helix = await startPassing()
  const connection = await openRawConnection(helix.url)
  connection.send('GET /readyz HTTP/1.0\r\n\r\n')
  expect((await connection.answer()).status).toBe(200)
})

test('a client that sends a large body which nobody wants gets the refusal, however it is timed', async () => {
  const helix = await startPassing()
  const body = 'x'.repeat(3_000_000)
  const { post } = rawRequests({ key: 'hx_live_wrong' })
  for (const half of [0, body.length / 2, body.length]) {
    const connection = await openRawConnection(helix.url)
    connection.send(post('idempotency-key: a', `content-length: ${body.length}`) + body.slice(0, half))
    const answered = connection.answer()
    connection.send(body.slice(half))
    const { status, headers } = await answered
    expect(status).toBe(401)
    expect(headers.get('connection')).toBe('close')
  }
})

test('what follows a malformed request on its connection is not read as a request', async () => {
  const helix = await startPassing()
  const connection = await openRawConnection(helix.url)
  connection.send('GET /v1/models HTTP/1.1\r\n\r\nGET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const { status, headers } = await connection.answer()
  expect(status).toBe(400)
  expect(headers.get('connection')).toBe('close')
  await expect(connection.answer()).rejects.toThrow()
})

test('the fingerprint of a model of an upstream is the same whichever thread answers, and however long each has run', async () => {
  const upstream = await startUpstream((response) => sayJson(response, { content: 'Tides' }))
  const helix = await startHelix(twoWorkers(upstream.baseUrl, {}, createManualClock()))
  const own = await postApart(helix, helix.key, '/v1/chat/completions', chatBody)
  const passedOn = await postApart(helix, helix.key, '/v1/chat/completions', chatBody, { 'idempotency-key': 'a' })
  expect(own.status).toBe(200)
  expect(JSON.parse(passedOn.text).system_fingerprint).toBe(JSON.parse(own.text).system_fingerprint)
})
