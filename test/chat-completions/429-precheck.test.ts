import { expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { openScriptedEngine } from '../../src/engine/scripted.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'

/** The answer to a request that declares a large body and sends none of it. */
const sendHeadOnly = async (helix: Helix, ...lines: string[]) => {
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).post('content-length: 4000000', ...lines))
  const answer = await connection.answer()
  return { ...answer, error: JSON.parse(answer.body).error as { code: string; type: string; message: string } }
}

test('a key at its requests per minute is refused before the body is read, with the same error as after', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 1 } })
  await (await helix.chat({})).text()
  clock.advance(10_000)
  const { status, headers, error } = await sendHeadOnly(helix)
  expect(status).toBe(429)
  expect(error).toMatchObject({ type: 'requests', code: 'rate_limit_exceeded' })
  expect(error.message).toMatch(
    /^Rate limit reached for helix-v1 in organization org_\w+ on requests per min \(RPM\): Limit 1, Used 1, Requested 1. Please try again in 50s.$/,
  )
  expect(Object.fromEntries(headers)).toMatchObject({
    connection: 'close',
    'retry-after': '50',
    'retry-after-ms': '50000',
    'x-ratelimit-limit-requests': '1',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '50s',
    'x-ratelimit-scope-requests': 'organisation',
  })
  clock.advance(50_000)
  expect((await helix.chat({})).status).toBe(200)
})

test('an exhausted budget is reported before the body is read', async () => {
  const helix = await startHelix({ config: { organisationTokensPerDay: 6 } })
  expect((await helix.chat({ max_tokens: 4 })).status).toBe(200)
  const { status, headers, error } = await sendHeadOnly(helix)
  expect(status).toBe(429)
  expect(error.code).toBe('insufficient_quota')
  expect(headers.get('x-should-retry')).toBe('false')
})

test('requests whose bodies are being read count as in flight, and invalid ones do not count per minute', async () => {
  const config = { organisationRequestsInFlight: 2, organisationRequestsPerMinute: 2 }
  const helix = await startHelix({ clock: createManualClock(), config })
  const { post } = rawRequests(helix)
  const slow = await Promise.all([openRawConnection(helix.url), openRawConnection(helix.url)])
  // The interim answer says that the server waits for the body.
  for (const { send, answer } of slow) {
    send(post('content-length: 1', 'expect: 100-continue'))
    expect((await answer()).status).toBe(100)
  }
  const { status, error } = await sendHeadOnly(helix)
  expect(status).toBe(429)
  expect(error.message).toContain('Limit 2, Used 2, Requested 1.')
  for (const { send, answer } of slow) {
    send('{')
    expect((await answer()).status).toBe(400)
  }
  expect((await helix.chat({})).headers.get('x-ratelimit-remaining-requests')).toBe('1')
  expect((await helix.chat({})).status).toBe(200)
  expect((await helix.chat({})).status).toBe(429)
})

test('a client that disconnects while sending its body no longer counts as in flight', async () => {
  const helix = await startHelix({ config: { organisationRequestsInFlight: 1 } })
  const leaving = await openRawConnection(helix.url)
  leaving.send(rawRequests(helix).post('content-length: 100', 'expect: 100-continue'))
  await leaving.answer()
  expect((await helix.chat({})).status).toBe(429)
  leaving.socket.destroy()
  await helix.logged({ status: 499 })
  expect((await helix.chat({})).status).toBe(200)
})

test('after a refusal with a short body the connection can be reused', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 1 } })
  await (await helix.chat({})).text()
  const { send, answer } = await openRawConnection(helix.url)
  const { post, get } = rawRequests(helix)
  const body = chatBody('Hi')
  send(post(`content-length: ${body.length}`))
  const refused = await answer()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('connection')).not.toBe('close')
  send(body + get('/v1/models'))
  expect((await answer()).status).toBe(200)
})

test('a key with too many refused requests is refused before the body is read, for the stated wait', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { refusedRequestsPerMinute: 3, organisationTokensPerMinute: 20 } })
  const { key: other } = (await helix.control('POST', '/control/keys', { name: 'other' })) as { key: string }
  expect((await helix.post('{')).status).toBe(400)
  clock.advance(10_000)
  expect((await helix.chat({ max_tokens: 100 })).status).toBe(429)
  expect((await helix.chat({ model: 'none' })).status).toBe(404)
  for (let turn = 0; turn < 3; turn += 1) {
    const { status, headers, error } = await sendHeadOnly(helix)
    expect(status).toBe(429)
    expect(error).toMatchObject({ type: 'requests', code: 'rate_limit_exceeded' })
    expect(error.message).toMatch(/^Too many requests from key key_\w+ were rejected in the last minute: Limit 3\./)
    expect(headers.get('retry-after-ms')).toBe('50000')
    expect(headers.get('x-ratelimit-limit-tokens')).toBe('20')
  }
  expect((await helix.chat({ max_tokens: 4 })).status).toBe(429)
  const others = { ...helix.authorized, authorization: `Bearer ${other}` }
  expect((await helix.chat({ max_tokens: 4 }, { headers: others })).status).toBe(200)
  clock.advance(50_000)
  expect((await helix.chat({ max_tokens: 4 })).status).toBe(200)
})

test('a refused request whose body was long counts as several', async () => {
  const helix = await startHelix({ clock: createManualClock(), config: { refusedRequestsPerMinute: 2 } })
  const long = { messages: [{ role: 'user', content: 'x'.repeat(3_900_000) }], temperature: 9 }
  expect((await helix.chat(long)).status).toBe(400)
  const { status, error } = await sendHeadOnly(helix)
  expect(status).toBe(429)
  expect(error.message).toMatch(/^Too many requests from key key_\w+ were rejected/)
})

test('a prompt that the engine refuses counts by the CPU time that the engine needed for it', async () => {
  const engine = openScriptedEngine({ model: { id: modelName }, answer: () => ['ok'] })
  const refused = { contextTokens: 4096, promptTokens: 5000 }
  const options = { param: 'messages', cpuMs: 11 }
  const prepare: typeof engine.prepare = (conversation, signal) =>
    conversation.messages[0]?.content === 'Hi'
      ? engine.prepare(conversation, signal)
      : Promise.reject(ApiError.of('context_length_exceeded', refused, options))
  const helix = await startHelix({
    clock: createManualClock(),
    startEngine: () => ({ ...engine, prepare }),
    config: { refusedRequestsPerMinute: 7 },
  })
  const askLong = () => helix.chat({ messages: [{ role: 'user', content: 'A long one' }] })
  expect((await askLong()).status).toBe(400)
  // Eleven milliseconds count as six.
  expect((await helix.chat({ messages: [{ role: 'user', content: 'Hi' }] })).status).toBe(200)
  expect((await helix.post('{')).status).toBe(400)
  expect((await sendHeadOnly(helix)).status).toBe(429)
})

test('the refused requests of all keys of an organisation count together', async () => {
  const config = { refusedRequestsPerMinute: 2, organisationRefusedRequestsPerMinute: 3 }
  const helix = await startHelix({ clock: createManualClock(), config })
  const { key } = (await helix.control('POST', '/control/keys', { name: 'other' })) as { key: string }
  const { key: third } = (await helix.control('POST', '/control/keys', { name: 'third' })) as { key: string }
  for (const sender of [helix.key, helix.key, key])
    expect((await helix.post('{', { authorization: `Bearer ${sender}` })).status).toBe(400)
  const refused = await helix.post('{', { authorization: `Bearer ${third}` })
  expect(refused.status).toBe(429)
  const { message, limit } = await readError(refused)
  expect(message).toMatch(/^Too many requests from organization org_\w+ were rejected/)
  expect(limit).toEqual({
    ...{ name: 'refused_requests_per_minute', scope: 'organisation', limit: 3, used: 3, requested: 1 },
    resets_at: expect.any(Number),
  })
})

test('errors of the server do not count as refusals', async () => {
  const helix = await startHelix({ config: { refusedRequestsPerMinute: 1 } })
  helix.engine.setState('loading')
  for (let turn = 0; turn < 3; turn += 1) expect((await helix.chat({})).status).toBe(503)
})

test('an unknown Idempotency-Key does not bypass the precheck, and a retry passes a full window', async () => {
  const clock = createManualClock()
  const config = { organisationRequestsPerMinute: 1, refusedRequestsPerMinute: 3 }
  const helix = await startHelix({ clock, config })
  expect((await keyedChat(helix, 'kept')).status).toBe(200)
  expect((await sendHeadOnly(helix, 'idempotency-key: invented')).status).toBe(429)
  const retry = await keyedChat(helix, 'kept')
  expect(retry.status).toBe(200)
  expect(retry.headers.get('idempotent-replayed')).toBe('true')
  // Other bodies under a known key are read, and counted.
  for (let turn = 0; turn < 2; turn += 1) expect((await keyedChat(helix, 'kept', { n: 2 })).status).toBe(409)
  const { status, error } = await sendHeadOnly(helix, 'idempotency-key: kept')
  expect(status).toBe(429)
  expect(error.message).toContain('Too many requests')
})

test('pipelined requests are not in flight before their turn', async () => {
  const helix = await startHelix({ config: { organisationRequestsInFlight: 1 } })
  const { postBody } = rawRequests(helix)
  const { send, answer } = await openRawConnection(helix.url)
  send(postBody('one') + postBody('two') + postBody('three'))
  for (let turn = 0; turn < 3; turn += 1) expect((await answer()).status).toBe(200)
})
