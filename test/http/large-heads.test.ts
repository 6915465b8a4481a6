import { beforeAll, expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { expectRawError, rawRequests } from '../harness/raw-request.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test.each([
  ['a path', () => rawRequests(helix).get(`/v1/models/${'x'.repeat(20_000)}`)],
  ['a query', () => rawRequests(helix).get(`/v1/models?${'x'.repeat(20_000)}`)],
  ['a header', () => rawRequests(helix).get('/v1/models', 'GET', `x-long: ${'x'.repeat(20_000)}`)],
  ['the name of a header', () => rawRequests(helix).get('/v1/models', 'GET', `${'x'.repeat(20_000)}: y`)],
  ['many headers', () => rawRequests(helix).get('/v1/models', 'GET', ...Array(5000).fill('x-many: y'))],
  ['a header that never ends', () => `GET /v1/models HTTP/1.1\r\nhost: x\r\nx-endless: ${'x'.repeat(1_000_000)}`],
])('%s over the limit is a 431, and the end of the connection', async (_, request) => {
  const connection = await openRawConnection(helix.url)
  connection.send(request())
  expectRawError(await connection.answer(), 431, 'headers_too_large')
  await connection.ended().catch(() => 'a reset, where more was sent than anybody reads')
  expect((await fetch(`${helix.url}/healthz`)).status).toBe(200)
})

test('all headers within the size limit are read, however many', async () => {
  const connection = await openRawConnection(helix.url)
  const many = Array(3000).fill('a: b').join('\r\n')
  connection.send(`GET /v1/models HTTP/1.1\r\nhost: x\r\n${many}\r\nauthorization: Bearer ${helix.key}\r\n\r\n`)
  expect((await connection.answer()).status).toBe(200)
})
