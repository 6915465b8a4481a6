import { beforeAll, expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

const limitBytes = 2000
let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ config: { bodyLimitBytes: limitBytes } })
  return helix.close
})

const head = (...lines: string[]): string =>
  ['POST /v1/chat/completions HTTP/1.1', 'host: helix', `authorization: Bearer ${helix.key}`, ...lines, '\r\n'].join(
    '\r\n',
  )
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const refusal = {
  message: `The request body exceeds the limit of ${limitBytes} bytes.`,
  type: 'invalid_request_error',
  param: null,
  code: 'request_too_large',
}

/** A body of exactly this many bytes. */
const bodyOf = (bytes: number): string => {
  const rest = bytes - JSON.stringify({ model: modelName, messages: [{ role: 'user', content: '' }] }).length
  return JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'x'.repeat(rest) }] })
}

test('a body of exactly the limit is accepted, one byte more is not', async () => {
  expect((await helix.post(bodyOf(limitBytes))).status).toBe(200)
  const response = await helix.post(bodyOf(limitBytes + 1))
  expect(response.status).toBe(413)
  expect(await readError(response)).toEqual(refusal)
})

test('a declared size over the limit is refused before the body is read', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(head(`content-length: ${limitBytes + 1}`))
  const { status, headers, body } = await connection.answer()
  expect(status).toBe(413)
  expect(headers.get('connection')).toBe('close')
  expect(headers.get('x-request-id')).toMatch(/^req_/)
  expect(JSON.parse(body)).toEqual({ error: refusal })
})

test('a chunked body is refused at the chunk that exceeds the limit', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(head('transfer-encoding: chunked') + chunk('x'.repeat(limitBytes)))
  connection.send(chunk('x'))
  const { status, body } = await connection.answer()
  expect(status).toBe(413)
  expect(JSON.parse(body)).toEqual({ error: refusal })
})

test('a client that sends everything first still gets the error, and then the end, not a reset', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(head(`content-length: 3000000`) + 'x'.repeat(3_000_000))
  expect((await connection.answer()).status).toBe(413)
  expect(await connection.ended()).toBe('')
})

test('a client with Expect: 100-continue is refused and never sends the body', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(head(`content-length: ${limitBytes + 1}`, 'expect: 100-continue'))
  const { status, headers } = await connection.answer()
  expect(status).toBe(413)
  expect(headers.get('connection')).toBe('close')
})

test('an endless body is not read forever', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(head('transfer-encoding: chunked'))
  const piece = chunk('x'.repeat(65_536))
  let sent = 0
  const pump = (): void => {
    while (connection.socket.writable && connection.socket.write(piece)) sent += piece.length
  }
  connection.socket.on('drain', pump)
  pump()
  expect((await connection.answer()).status).toBe(413)
  await connection.ended().catch(() => 'a reset is all that is left to do')
  expect(sent).toBeLessThan(40_000_000)
})
