import { beforeAll, describe, expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { chatBody, expectRawError, inOneChunk, rawRequests } from '../harness/raw-request.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

const json = chatBody('Hi')
const length = `content-length: ${json.length}`
const chunked = 'transfer-encoding: chunked'
const chunks = inOneChunk(json)
/** What an attacker hopes to get an answer to. */
const smuggled = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'

/** One answer, 400 and with an id; then the end of the connection, and nothing in between. */
const expectOneRefusal = async (text: string): Promise<string> => {
  const before = helix.logLines.length
  const connection = await openRawConnection(helix.url)
  connection.send(Buffer.from(text, 'latin1'))
  const answer = await connection.answer()
  expectRawError(answer, 400, null)
  expect(answer.headers.get('connection')).toBe('close')
  expect(await connection.ended()).toBe('')
  const requestId = answer.headers.get('x-request-id')
  expect(await helix.logged({ requestId })).toMatchObject({
    event: 'request',
    status: 400,
    error: 'malformed_http',
    clientAddress: '127.0.0.1',
  })
  expect(helix.logLines.slice(before)).toHaveLength(1)
  return requestId ?? ''
}

test.each([
  ['nonsense', 'hello there\r\n\r\n'],
  ['an unknown method', 'FROB / HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['a method in small letters', 'get /healthz HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['a tab between the words', 'GET\t/healthz\tHTTP/1.1\r\nhost: x\r\n\r\n'],
  ['a zero in the path', 'GET /a\0b HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['no version', 'GET /healthz\r\n\r\n'],
  ['HTTP/1.2', 'GET /healthz HTTP/1.2\r\nhost: x\r\n\r\n'],
  ['HTTP/2.0 in the words of 1.1', 'GET /healthz HTTP/2.0\r\nhost: x\r\n\r\n'],
  ['the first words of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a request for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['HTTP/1.1 without a host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n'],
  ['a header without a name', 'GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nhost: x\r\ny\r\n\r\n'],
])('%s is a 400 with a request id, and closes the connection', async (_, text) => {
  await expectOneRefusal(text)
})

describe('a request with an ambiguous length', () => {
  test.each<[string, string[], string]>([
    ['a length and chunks', [length, chunked], chunks],
    ['chunks and a length', [chunked, length], chunks],
    ['two lengths', [length, 'content-length: 5'], json],
    ['the same length twice', [length, length], json],
    ['a list of lengths', [`${length}, ${json.length}`], json],
    ['an empty length', ['content-length:'], json],
    ['a negative length', ['content-length: -1'], json],
    ['a length with a plus', [`content-length: +${json.length}`], json],
    ['a length with a space in it', ['content-length: 1 2'], json],
    ['a length in hexadecimal', ['content-length: 0x10'], json],
    ['a length with a point', ['content-length: 10.0'], json],
    ['a length beyond all lengths', ['content-length: 99999999999999999999999'], json],
    ['chunked, then identity', ['transfer-encoding: chunked, identity'], chunks],
    ['chunked, then identity in another header', [chunked, 'transfer-encoding: identity'], chunks],
    ['chunked twice', [chunked, chunked], chunks],
    ['chunked and something before it', ['transfer-encoding: gzip, chunked'], chunks],
    ['a coding nobody knows', ['transfer-encoding: xchunked'], chunks],
    ['a coding in quotation marks', ['transfer-encoding: "chunked"'], chunks],
    ['a coding behind a vertical tab', ['transfer-encoding: \x0bchunked'], chunks],
    ['identity alone', ['transfer-encoding: identity'], json],
    ['an empty coding', ['transfer-encoding:'], json],
    ['a folded header', ['x-a: b\r\n c', length], json],
    ['a folded coding', ['transfer-encoding:\r\n chunked'], chunks],
    ['a bare line feed', ['x-a: b\nx-b: c', length], json],
    ['a bare carriage return', ['x-a: b\rx-b: c', length], json],
    ['a space before the colon', [`content-length : ${json.length}`], json],
    ['a tab before the colon', ['transfer-encoding\t: chunked'], chunks],
    ['a space before the name', ['x-a: b', ` ${length}`], json],
    ['a zero in a value', ['x-a: a\0b', length], json],
    ['a zero in a name', ['x\0a: b', length], json],
    ['a control character in a value', ['x-a: a\x01b', length], json],
    ['a name that is not ASCII', ['x-é: b', length], json],
  ])('%s is a 400, and what follows is not taken for a request', async (_, lines, body) => {
    await expectOneRefusal(rawRequests(helix).post(...lines) + body + smuggled)
  })

  test('chunks under HTTP/1.0, which does not have them, are a 400', async () => {
    const head = rawRequests(helix).post(chunked).replace('HTTP/1.1', 'HTTP/1.0')
    await expectOneRefusal(head + chunks + smuggled)
  })

  test('lines that end in a bare line feed are a 400', async () => {
    await expectOneRefusal(rawRequests(helix).post(length).replaceAll('\r\n', '\n') + json + smuggled)
  })

  test.each([
    ['a size beyond all sizes', `${'f'.repeat(17)}\r\n${json}\r\n0\r\n\r\n`],
    ['a negative size', '-1\r\n'],
    ['a size with 0x', `0x${chunks}`],
    ['a space behind the size', chunks.replace('\r\n', ' \r\n')],
    ['no size', '\r\n'],
    ['a line feed alone behind the size', chunks.replace('\r\n', '\n')],
    ['a line feed alone in an extension', chunks.replace('\r\n', ';a\n')],
    ['a carriage return alone in an extension', chunks.replace('\r\n', ';a\rb\r\n')],
    ['an extension that never ends', chunks.replace('\r\n', `;a=${'b'.repeat(20_000)}\r\n`)],
    ['more data than the size says', chunks.replace('\r\n0', 'XX\r\n0')],
    ['a length among the trailers', chunks.replace(/\r\n$/, 'content-length: 5\r\n\r\n')],
    ['a trailer that is no header', chunks.replace(/\r\n$/, 'x y\r\n\r\n')],
  ])('chunks with %s are a 400 of the request they belong to', async (_, body) => {
    const requestId = await expectOneRefusal(rawRequests(helix).post(chunked) + body + smuggled)
    expect(await helix.logged({ requestId })).toMatchObject({ path: '/v1/chat/completions' })
  })
})

test('well-formed chunk extensions and trailers are ignored', async () => {
  const connection = await openRawConnection(helix.url)
  const body = chunks.replace('\r\n', ';a=b;c="d"\r\n').replace(/\r\n$/, 'x-checksum: 1\r\n\r\n')
  connection.send(rawRequests(helix).post(chunked) + body)
  expect((await connection.answer()).status).toBe(200)
})

test('garbage after a request never affects its response', async () => {
  const held = Promise.withResolvers<void>()
  const slow = await startHelix({ answer: () => ['first', { pause: held.promise }, 'last'] })
  const connection = await openRawConnection(slow.url)
  connection.send(rawRequests(slow).postBody('Hi', { stream: true }))
  await new Promise((resolve) => connection.socket.once('data', resolve))
  connection.send('nonsense\r\n\r\n')
  const text = await connection.ended().catch(String)
  expect(text).toContain('first')
  expect(text).not.toContain('not valid HTTP')
  held.resolve()
})
