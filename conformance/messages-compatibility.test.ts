import { beforeAll, expect, test } from 'vitest'
import { messagesBody } from '../src/api/messages/request/messages-body.ts'
import { postMessages } from '../test/harness/post-messages.ts'
import { type Helix, openHelix } from '../test/harness/start-helix.ts'
import { messagesApiFields } from './messages-compatibility.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test('every field of a request is in the table', () => {
  const properties = Object.keys(Object(messagesBody.json.properties))
  const listed = new Set(messagesApiFields.map(({ field }) => field))
  expect(properties.filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => !properties.includes(name))).toEqual(['any other field'])
})

const titled = messagesApiFields.map((row) => [`${row.field} ${row.value ?? ''}: ${row.verdict}`, row] as const)

test.each(titled)('%s', async (_, { verdict, sample }) => {
  const response = await postMessages(helix, sample)
  const text = await response.text()
  if (verdict !== 'refused') {
    expect(response.status, text).toBe(200)
    return expect(response.headers.has('x-helix-ignored-fields')).toBe(verdict === 'ignored and reported')
  }
  expect(response.status).toBe(400)
  const { error } = JSON.parse(text)
  expect(error).toMatchObject({
    type: 'invalid_request_error',
    message: expect.stringContaining(Object.keys(sample)[0] ?? ''),
  })
})
