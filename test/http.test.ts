import { beforeAll, describe, expect, test } from 'vitest'
import { openRawConnection, type RawAnswer } from './harness/raw-connection.ts'
import { type Helix, modelName, openHelix, startHelix } from './harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({
    answer: (messages) => [messages.at(-1)?.content ?? ''],
    config: { headerLimitBytes: 4096 },
  })
  return helix.close
})

const body = (content: string, more = {}): string =>
  JSON.stringify({ model: modelName, messages: [{ role: 'user', content }], ...more })
const post = (...lines: string[]): string =>
  ['POST /v1/chat/completions HTTP/1.1', 'host: x', `authorization: Bearer ${helix.key}`, ...lines, '\r\n'].join('\r\n')
const postBody = (content: string, more = {}): string => {
  const json = body(content, more)
  return post(`content-length: ${Buffer.byteLength(json)}`) + json
}
const get = (path: string, method = 'GET'): string =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${helix.key}\r\n\r\n`

const expectError = (answer: RawAnswer, status: number, code: string | null): void => {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('x-request-id')).toMatch(/^req_\w{24}$/)
  const error = JSON.parse(answer.body).error
  expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
  expect(error).toMatchObject({ type: 'invalid_request_error', param: null, code })
}

describe('what is not HTTP', () => {
  test.each([
    ['nonsense', 'hello there\r\n\r\n'],
    ['an unknown method', 'FROB / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['a bare carriage return', 'GET / HTTP/1.1\r\nhost: x\ry: z\r\n\r\n'],
    ['a request for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['HTTP/1.1 without a host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
  ])('%s is a 400 with an id, and the end of the connection', async (_, text) => {
    const connection = await openRawConnection(helix.url)
    connection.send(text)
    const answer = await connection.answer()
    expectError(answer, 400, null)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await connection.ended()).toBe('')
    expect(await helix.logged({ requestId: answer.headers.get('x-request-id') })).toMatchObject({
      event: 'request',
      status: 400,
      error: 'malformed_http',
      clientAddress: '127.0.0.1',
    })
  })

  test('a body whose chunks are broken is a 400 of the request it belongs to', async () => {
    const connection = await openRawConnection(helix.url)
    connection.send(`${post('transfer-encoding: chunked')}5\r\nhello\r\nnonsense\r\n`)
    const answer = await connection.answer()
    expectError(answer, 400, null)
    expect(await connection.ended()).toBe('')
    expect(await helix.logged({ requestId: answer.headers.get('x-request-id') })).toMatchObject({
      path: '/v1/chat/completions',
      status: 400,
      error: 'malformed_http',
    })
  })

  test('nonsense behind a request never gets into its answer', async () => {
    const held = Promise.withResolvers<void>()
    const slow = await startHelix({ answer: () => ['first', { pause: held.promise }, 'last'] })
    const connection = await openRawConnection(slow.url)
    connection.send(postBody('Hi', { stream: true }).replace(helix.key, slow.key))
    await new Promise((resolve) => connection.socket.once('data', resolve))
    connection.send('nonsense\r\n\r\n')
    const text = await connection.ended().catch(String)
    expect(text).toContain('first')
    expect(text).not.toContain('not valid HTTP')
    held.resolve()
  })
})

test('headers over the limit are a 431', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(get(`/v1/models?${'x'.repeat(5000)}`))
  expectError(await connection.answer(), 431, 'headers_too_large')
  expect(await connection.ended()).toBe('')
})

describe('slow clients', () => {
  const timeouts = { headersTimeoutMs: 50, bodyTimeoutMs: 100 }

  test('headers that do not end in time are a 408', async () => {
    const slow = await startHelix({ config: timeouts })
    const connection = await openRawConnection(slow.url)
    connection.send('GET /healthz HTTP/1.1\r\nhost: x\r\n')
    expectError(await connection.answer(), 408, 'request_timeout')
    expect(await connection.ended()).toBe('')
  })

  test('a body that does not end in time is a 408 of the request it belongs to', async () => {
    const slow = await startHelix({ config: timeouts })
    const connection = await openRawConnection(slow.url)
    connection.send(postBody('Hi').replace(helix.key, slow.key).slice(0, -3))
    const answer = await connection.answer()
    expectError(answer, 408, 'request_timeout')
    expect(await connection.ended()).toBe('')
    expect(await slow.logged({ requestId: answer.headers.get('x-request-id') })).toMatchObject({
      path: '/v1/chat/completions',
      status: 408,
      error: 'request_timeout',
    })
  })

  test('who was refused and never ends the body is hung up on, without a second answer', async () => {
    const slow = await startHelix({ config: { ...timeouts, bodyLimitBytes: 1024 } })
    const connection = await openRawConnection(slow.url)
    connection.send(`${post('content-length: 5000').replace(helix.key, slow.key)}abc`)
    expectError(await connection.answer(), 413, 'request_too_large')
    expect(await connection.ended()).toBe('')
  })

  test('a connection that asks for nothing is closed without an answer', async () => {
    const slow = await startHelix({ config: timeouts })
    const connection = await openRawConnection(slow.url)
    expect(await connection.ended()).toBe('')
    expect(slow.logLines.filter((line) => line.includes('408'))).toEqual([])
  })

  test('an answer may take longer than a request may', async () => {
    const held = Promise.withResolvers<void>()
    const slow = await startHelix({ config: timeouts, answer: () => ['a', { pause: held.promise }, 'b'] })
    const asked = slow.chat({})
    const other = await openRawConnection(slow.url)
    other.send('GET /healthz HTTP/1.1\r\nhost: x\r\n')
    // By now the time for a request has passed more than once.
    expect((await other.answer()).status).toBe(408)
    held.resolve()
    expect((await asked).status).toBe(200)
  })
})

describe('Expect', () => {
  test('100-continue is answered before the body is sent', async () => {
    const connection = await openRawConnection(helix.url)
    const json = body('Hi')
    connection.send(post(`content-length: ${json.length}`, 'expect: 100-continue'))
    expect((await connection.answer()).status).toBe(100)
    connection.send(json)
    const answer = await connection.answer()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('connection')).toBe('keep-alive')
    connection.send(get('/healthz'))
    expect((await connection.answer()).status).toBe(200)
  })

  test('who is refused without 100 Continue is told that the connection closes', async () => {
    const connection = await openRawConnection(helix.url)
    const asking = 'content-length: 10\r\nexpect: 100-continue\r\n\r\n'
    connection.send(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${asking}`)
    const answer = await connection.answer()
    expectError(answer, 401, null)
    expect(answer.headers.get('connection')).toBe('close')
  })

  test('anything else is a 417', async () => {
    const connection = await openRawConnection(helix.url)
    connection.send(`${post('expect: miracles', 'content-length: 2')}{}`)
    const answer = await connection.answer()
    expectError(answer, 417, 'expectation_failed')
    expect(answer.headers.get('connection')).toBe('close')
    expect(await connection.ended()).toBe('')
    await helix.logged({ requestId: answer.headers.get('x-request-id'), status: 417 })
  })
})

describe('one connection', () => {
  test('carries a hundred requests, one after the other, each with an id of its own', async () => {
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

  test('answers requests that were sent at once in their order', async () => {
    const connection = await openRawConnection(helix.url)
    const requests = Array.from({ length: 10 }, (_, index) => postBody(`<${index}>`, { stream: index % 2 === 1 }))
    connection.send(requests.join('') + get('/healthz'))
    for (let index = 0; index < 10; index += 1) {
      const answer = await connection.answer()
      expect(answer.status).toBe(200)
      expect(answer.body).toContain(`<${index}>`)
    }
    expect((await connection.answer()).body).toBe('{"status":"ok"}')
  })

  test('goes on after an error, also when the body was not read', async () => {
    const connection = await openRawConnection(helix.url)
    const json = body('Hi')
    connection.send(`POST /v1/nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: ${json.length}\r\n\r\n${json}`)
    expect((await connection.answer()).status).toBe(404)
    connection.send(postBody('still here'))
    expect((await connection.answer()).body).toContain('still here')
  })

  test('HEAD has no body, so the next answer begins right behind it', async () => {
    const connection = await openRawConnection(helix.url)
    connection.send(get('/v1/models', 'HEAD') + get('/healthz'))
    const head = await connection.answer({ toHead: true })
    expect(head.status).toBe(200)
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
    expect((await connection.answer()).body).toBe('{"status":"ok"}')
  })

  test('a body in chunks, split anywhere, is one body', async () => {
    const connection = await openRawConnection(helix.url)
    connection.send(post('transfer-encoding: chunked'))
    for (const byte of Buffer.from(body('猫')))
      connection.send(Buffer.concat([Buffer.from('1\r\n'), Uint8Array.of(byte), Buffer.from('\r\n')]))
    connection.send('0\r\n\r\n')
    expect((await connection.answer()).body).toContain('猫')
  })

  test('a target with scheme and host in front is the same target', async () => {
    const connection = await openRawConnection(helix.url)
    connection.send(get('http://helix.example:8080/v1/models?x') + get('http://helix.example'))
    expect((await connection.answer()).status).toBe(200)
    expect((await connection.answer()).body).toContain('Invalid URL (GET /)')
  })

  test('HTTP/1.0 without a host is answered and closed', async () => {
    const connection = await openRawConnection(helix.url)
    connection.send('GET /healthz HTTP/1.0\r\n\r\n')
    expect((await connection.answer()).status).toBe(200)
    expect(await connection.ended()).toBe('')
  })
})
