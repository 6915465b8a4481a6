import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] })

// The official service answers 400 here, not 415.
test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'multipart/form-data; boundary=x',
  '',
])('the content type %j is refused, and the error names it', async (type) => {
  const response = await helix.post(body, { 'content-type': type })
  expect(response.status).toBe(400)
  expect(await readError(response)).toEqual({
    message: `Unsupported Content-Type: '${type}'. Only 'application/json' is accepted.`,
    type: 'invalid_request_error',
    param: null,
    code: 'unsupported_content_type',
  })
})

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json ; x=y',
])('the content type %j is JSON', async (type) => {
  expect((await helix.post(body, { 'content-type': type })).status).toBe(200)
})

test('a body without a content type is read as JSON', async () => {
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).postBody('Hi'))
  expect((await connection.answer()).status).toBe(200)
})

test.each(['gzip', 'br', 'deflate, gzip'])('a body in %s is refused', async (encoding) => {
  const response = await helix.post(Uint8Array.from(gzipSync(body)), { 'content-encoding': encoding })
  expect(response.status).toBe(415)
  expect(await readError(response)).toEqual({
    message: `Unsupported Content-Encoding: '${encoding}'. Send the body uncompressed.`,
    type: 'invalid_request_error',
    param: null,
    code: 'unsupported_content_encoding',
  })
})

test.each(['identity', 'Identity'])('the content encoding %s is no encoding', async (encoding) => {
  expect((await helix.post(body, { 'content-encoding': encoding })).status).toBe(200)
})
