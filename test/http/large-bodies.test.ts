import { beforeAll, expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ engine: { model: { contextTokens: 1_000_000 } } })
  return helix.close
})

const start = `{"model":"${modelName}","messages":[`
const keys = Array.from({ length: 10_000 }, (_, index) => `"k${index}":1`).join(',')

test.each([
  ['keys', `${start}{"role":"user","content":"Hi"}],${keys}`, /An object in the JSON has more than 2000 keys/],
  ['arrays', start + '[],'.repeat(40_000), /An array in the JSON has more than 16384 arrays or objects/],
])('a large body with too many %s is refused while most of it is still to come', async (_, part, reason) => {
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).post('content-length: 4000000') + part)
  const { status, body, headers } = await connection.answer()
  expect(status).toBe(400)
  expect(body).toMatch(reason)
  expect(headers.get('connection')).toBe('close')
})

test('a body of 16,384 messages has too many for the schema, which says so with the path', async () => {
  const messages = Array.from({ length: 16_384 }, () => ({ role: 'user', content: 'a' }))
  const response = await helix.chat({ messages })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param: 'messages', code: 'array_above_max_length' } })
})
