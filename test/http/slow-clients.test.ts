import { expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { expectRawError, rawRequests } from '../harness/raw-request.ts'
import { startHelix } from '../harness/start-helix.ts'

const timeouts = { headersTimeoutMs: 50, bodyTimeoutMs: 100 }
/** Where somebody else has to be served: enough for a whole request to arrive on a busy machine. */
const patience = { headersTimeoutMs: 1500, bodyTimeoutMs: 1500 }

test('headers that do not end in time are a 408', async () => {
  const helix = await startHelix({ config: timeouts })
  const connection = await openRawConnection(helix.url)
  connection.send('GET /healthz HTTP/1.1\r\nhost: x\r\n')
  expectRawError(await connection.answer(), 408, 'request_timeout')
  expect(await connection.ended()).toBe('')
})

test('a body that does not end in time is a 408 of the request it belongs to', async () => {
  const helix = await startHelix({ config: timeouts })
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).postBody('Hi').slice(0, -3))
  const answer = await connection.answer()
  expectRawError(answer, 408, 'request_timeout')
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(await connection.ended()).toBe('')
  expect(await helix.logged({ requestId: answer.headers.get('x-request-id') })).toMatchObject({
    path: '/v1/chat/completions',
    status: 408,
    error: 'request_timeout',
  })
})

test('while fifty clients are slow, another one is served, and then they are all disconnected', async () => {
  const helix = await startHelix({ config: patience })
  const { postBody, post } = rawRequests(helix)
  const begun = [
    'GET /hea',
    'GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ',
    postBody('Hi').slice(0, -1),
    `${post('transfer-encoding: chunked')}5\r\nab`,
    post('content-length: 9', 'expect: 100-continue'),
  ]
  const dawdle = async (index: number) => {
    const connection = await openRawConnection(helix.url)
    connection.send(begun[index % begun.length] ?? '')
    return connection
  }
  const dawdlers = await Promise.all(Array.from({ length: 50 }, (_, index) => dawdle(index)))
  expect((await helix.chat({})).status).toBe(200)
  for (const connection of dawdlers)
    expect(await connection.ended()).toMatch(/^HTTP\/1\.1 (100 Continue\r\n\r\nHTTP\/1\.1 )?408 /)
})

test('a refused client that never completes its body is disconnected, without a second response', async () => {
  const helix = await startHelix({ config: { ...timeouts, bodyLimitBytes: 1024 } })
  const connection = await openRawConnection(helix.url)
  connection.send(`${rawRequests(helix).post('content-length: 5000')}abc`)
  expectRawError(await connection.answer(), 413, 'request_too_large')
  expect(await connection.ended()).toBe('')
})

test('a connection without a request is closed without a response', async () => {
  const helix = await startHelix({ config: timeouts })
  const connection = await openRawConnection(helix.url)
  expect(await connection.ended()).toBe('')
  expect(helix.logLines.filter((line) => line.includes('408'))).toEqual([])
})

test('a response may take longer than the timeout of a request', async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const helix = await startHelix({
    config: patience,
    *answer() {
      begun.resolve()
      yield 'a'
      yield { pause: held.promise }
      yield 'b'
    },
  })
  const asked = helix.chat({})
  await begun.promise
  const other = await openRawConnection(helix.url)
  other.send('GET /healthz HTTP/1.1\r\nhost: x\r\n')
  // By now the time for a request has passed more than once.
  expect((await other.answer()).status).toBe(408)
  held.resolve()
  expect((await asked).status).toBe(200)
})
