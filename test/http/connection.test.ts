import { beforeAll, expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let get: ReturnType<typeof rawRequests>['get']
let post: ReturnType<typeof rawRequests>['post']
let postBody: ReturnType<typeof rawRequests>['postBody']
beforeAll(async () => {
  helix = await openHelix({ answer: (messages) => [messages.at(-1)?.content ?? ''] })
  ;({ get, post, postBody } = rawRequests(helix))
  return helix.close
})

test('one connection serves a hundred requests in sequence, each with its own id', async () => {
  const connection = await openRawConnection(helix.url)
  const ids = new Set<string | null>()
  for (let count = 0; count < 100; count += 1) {
    connection.send(count % 3 === 0 ? postBody(`${count}`) : get(count % 3 === 1 ? '/v1/models' : '/nowhere'))
    const answer = await connection.answer()
    expect(answer.status).toBe([200, 200, 404][count % 3])
    ids.add(answer.headers.get('x-request-id'))
  }
  expect(ids.size).toBe(100)
})

test('pipelined requests are answered in order, streams among them', async () => {
  const connection = await openRawConnection(helix.url)
  const requests = Array.from({ length: 10 }, (_, index) => postBody(`<${index}>`, { stream: index % 2 === 1 }))
  connection.send(requests.join('') + get('/healthz'))
  for (let index = 0; index < 10; index += 1) {
    const answer = await connection.answer()
    expect(answer.status).toBe(200)
    expect(answer.body).toContain(`<${index}>`)
  }
  expect((await connection.answer()).body).toContain('"status":"ok"')
})

test('the keep-alive timeout is longer than that of clients and proxies', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(get('/v1/models'))
  const { headers } = await connection.answer()
  expect(headers.get('connection')).toBe('keep-alive')
  // Most load balancers reuse a connection for up to 60 seconds.
  expect(headers.get('keep-alive')).toBe('timeout=75')
})

test('with connection: close the connection ends after the first response', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(get('/v1/models', 'GET', 'connection: close'))
  const { status, headers } = await connection.answer()
  expect(status).toBe(200)
  expect(headers.get('connection')).toBe('close')
  expect(await connection.ended()).toBe('')
})

test('a connection can be reused after an error, even if the body was not read', async () => {
  const connection = await openRawConnection(helix.url)
  const json = chatBody('Hi')
  connection.send(`POST /v1/nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: ${json.length}\r\n\r\n${json}`)
  expect((await connection.answer()).status).toBe(404)
  connection.send(postBody('still here'))
  expect((await connection.answer()).body).toContain('still here')
})

test('HEAD has no body, so the next response follows directly', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(get('/v1/models', 'HEAD') + get('/v1/nowhere', 'HEAD') + get('/healthz'))
  const head = await connection.answer({ toHead: true })
  expect(head.status).toBe(200)
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
  expect((await connection.answer({ toHead: true })).status).toBe(404)
  expect((await connection.answer()).body).toContain('"status":"ok"')
})

test('a body in chunks without Content-Length, split anywhere, is one body', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(post('Transfer-Encoding: Chunked'))
  for (const byte of Buffer.from(chatBody('猫')))
    connection.send(Buffer.concat([Buffer.from('1\r\n'), Uint8Array.of(byte), Buffer.from('\r\n')]))
  connection.send('0\r\n\r\n')
  expect((await connection.answer()).body).toContain('猫')
})

test('blank lines before a request are ignored', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(`\r\n\r\n${get('/healthz')}\r\n${get('/healthz')}`)
  expect((await connection.answer()).status).toBe(200)
  expect((await connection.answer()).status).toBe(200)
})

test('an offer to upgrade the protocol is declined by a normal response', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(get('/healthz', 'GET', 'connection: upgrade', 'upgrade: h2c'))
  expect((await connection.answer()).body).toContain('"status":"ok"')
})

test('a target with scheme and host in front is the same target', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(get('http://helix.example:8080/v1/models?x') + get('http://helix.example/nowhere'))
  expect((await connection.answer()).status).toBe(200)
  expect((await connection.answer()).body).toContain('Invalid URL (GET /nowhere)')
})

test('HTTP/1.0 without a host gets a response, and the connection is closed', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send('GET /healthz HTTP/1.0\r\n\r\n')
  expect((await connection.answer()).status).toBe(200)
  expect(await connection.ended()).toBe('')
})
