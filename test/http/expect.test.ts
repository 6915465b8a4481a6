import { beforeAll, expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { chatBody, expectRawError, rawRequests } from '../harness/raw-request.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test('Expect: 100-continue is answered before the body is sent', async () => {
  const { post, get } = rawRequests(helix)
  const connection = await openRawConnection(helix.url)
  const json = chatBody('Hi')
  connection.send(post(`content-length: ${json.length}`, 'expect: 100-continue'))
  expect((await connection.answer()).status).toBe(100)
  connection.send(json)
  const answer = await connection.answer()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('connection')).toBe('keep-alive')
  connection.send(get('/healthz'))
  expect((await connection.answer()).status).toBe(200)
})

test('a refusal without 100 Continue announces that the connection closes', async () => {
  const connection = await openRawConnection(helix.url)
  const asking = 'content-length: 10\r\nexpect: 100-continue\r\n\r\n'
  connection.send(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${asking}`)
  const answer = await connection.answer()
  expectRawError(answer, 401, null)
  expect(answer.headers.get('connection')).toBe('close')
})

test('OPTIONS does not wait for an offered body', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).get('/v1/models', 'OPTIONS', 'content-length: 10', 'expect: 100-continue'))
  const answer = await connection.answer()
  expect(answer.status).toBe(204)
  expect(answer.headers.get('connection')).toBe('close')
})

test('any other Expect is a 417', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(`${rawRequests(helix).post('expect: miracles', 'content-length: 2')}{}`)
  const answer = await connection.answer()
  expectRawError(answer, 417, 'expectation_failed')
  expect(answer.headers.get('connection')).toBe('close')
  expect(await connection.ended()).toBe('')
  await helix.logged({ requestId: answer.headers.get('x-request-id'), status: 417 })
})
