import { expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

const bodyLimitBytes = 1_000_000
const config = {
  bodyLimitBytes,
  bodyMemoryLimitBytes: 4_000_000,
  bodyMemoryShareBytes: 2_000_000,
  trustedProxies: ['loopback'],
}

/** A connection on which most of a large body has been sent, and the rest does not come. */
const openUnfinished = async (helix: Helix, key: string, address: string) => {
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests({ key }).post(`x-forwarded-for: ${address}`, `content-length: ${bodyLimitBytes}`))
  connection.send(' '.repeat(bodyLimitBytes - 1000))
  return connection
}

/** How a request with a body of this length is answered before any of it was sent; `null` where the server reads it. */
const sendHead = async (helix: Helix, key: string, address: string, bytes = bodyLimitBytes) => {
  const connection = await openRawConnection(helix.url)
  const lines = [`x-forwarded-for: ${address}`, `content-length: ${bytes}`, 'expect: 100-continue']
  connection.send(rawRequests({ key }).post(...lines))
  const answer = await connection.answer()
  connection.socket.destroy()
  return answer.status === 100 ? null : answer
}

/** What was sent is read some time later: asks again until it was. */
const sendHeadUntilRefused = async (...asked: Parameters<typeof sendHead>) => {
  for (;;) {
    const answer = await sendHead(...asked)
    if (answer !== null) return answer
  }
}

/** Keys of as many organisations. */
const openOrganisations = async (helix: Helix, count: number): Promise<string[]> => {
  await claimServer(helix)
  const people = Array.from({ length: count }, (_, index) => signUp(helix.url, `person${index}@example.com`))
  return (await Promise.all(people)).map(({ firstKey }) => firstKey.key)
}

test('an address whose incomplete bodies fill its share gets a 429; other addresses do not', async () => {
  const helix = await startHelix({ config })
  const [first = '', second = ''] = await openOrganisations(helix, 2)
  const unfinished = [await openUnfinished(helix, first, '192.0.2.1'), await openUnfinished(helix, first, '192.0.2.1')]
  const refused = await sendHeadUntilRefused(helix, second, '192.0.2.1')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(refused.headers.get('connection')).toBe('close')
  expect(JSON.parse(refused.body).error).toMatchObject({
    ...{ code: 'rate_limit_exceeded', type: 'requests', param: null },
    limit: {
      ...{ name: 'body_bytes_in_flight', scope: 'address', limit: 2_000_000, used: expect.any(Number) },
      ...{ requested: bodyLimitBytes, resets_at: null },
    },
  })
  expect(await sendHead(helix, second, '192.0.2.2')).toBeNull()

  // The share belongs to the organisation too, wherever its requests come from.
  const elsewhere = await sendHead(helix, first, '192.0.2.3')
  expect(JSON.parse(elsewhere?.body ?? '{}').error.limit.scope).toBe('owner')

  for (const { socket } of unfinished) socket.destroy()
  while ((await sendHead(helix, first, '192.0.2.1')) !== null);
})

test('with the memory for bodies used up, a large body is a 503 before it is sent, and a small request succeeds', async () => {
  const helix = await startHelix({ config })
  const keys = await openOrganisations(helix, 5)
  for (const [index, key] of keys.slice(0, 4).entries()) await openUnfinished(helix, key, `192.0.2.${index}`)
  const last = keys[4] ?? ''
  const refused = await sendHeadUntilRefused(helix, last, '192.0.2.9')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(JSON.parse(refused.body).error).toMatchObject({ code: 'body_memory_full', type: 'server_error' })
  expect(await helix.logged({ error: 'body_memory_full' })).toMatchObject({ status: 503 })
  const small = await openRawConnection(helix.url)
  small.send(rawRequests({ key: last }).postBody('Hi'))
  expect((await small.answer()).status).toBe(200)
})

test('requests that declare long bodies and send nothing use no memory', async () => {
  const helix = await startHelix({ config })
  for (let count = 0; count < 20; count += 1) {
    const connection = await openRawConnection(helix.url)
    connection.send(rawRequests(helix).post(`content-length: ${bodyLimitBytes}`, 'expect: 100-continue'))
    expect((await connection.answer()).status).toBe(100)
  }
  expect((await helix.chat({ user: 'x'.repeat(900_000) })).status).toBe(200)
})

test('a body counts until its response begins, even while it waits for a slot', async () => {
  const running = Promise.withResolvers<void>()
  const helix = await startHelix({ config, engine: { slots: 1 }, answer: () => [{ pause: running.promise }, 'Hi'] })
  const asked = [1, 2].map(() => helix.chat({ user: 'x'.repeat(990_000) }))
  expect((await sendHeadUntilRefused(helix, helix.key, '192.0.2.1')).status).toBe(429)
  running.resolve()
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
  expect(await sendHead(helix, helix.key, '192.0.2.1')).toBeNull()
})

test('a body without a declared length that exceeds the share is refused while it arrives', async () => {
  const helix = await startHelix({ config: { ...config, bodyMemoryShareBytes: bodyLimitBytes } })
  await openUnfinished(helix, helix.key, '192.0.2.1')
  // As soon as a short body is refused, all that was sent has been read.
  await sendHeadUntilRefused(helix, helix.key, '192.0.2.1', 60_000)
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).post('x-forwarded-for: 192.0.2.1', 'transfer-encoding: chunked'))
  connection.send(`186a0\r\n${' '.repeat(100_000)}\r\n0\r\n\r\n`)
  expect((await connection.answer()).status).toBe(429)
  expect(await connection.ended()).toBe('')
})
