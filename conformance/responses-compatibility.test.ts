import { beforeAll, expect, test } from 'vitest'
import { responsesBody } from '../src/api/responses/request/responses-body.ts'
import { postResponses } from '../test/harness/post-responses.ts'
import { type Helix, openHelix } from '../test/harness/start-helix.ts'
import { responsesFields } from './responses-compatibility.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test('every field of a request is in the table', () => {
  const properties = Object.keys(Object(responsesBody.json.properties))
  const listed = new Set(responsesFields.map(({ field }) => field))
  expect(properties.filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => !properties.includes(name))).toEqual(['any other field'])
})

const titled = responsesFields.map((row) => [`${row.field} ${row.value ?? ''}: ${row.verdict}`, row] as const)

test.each(titled)('%s', async (_, { verdict, code, sample }) => {
  const response = await postResponses(helix, sample)
  const text = await response.text()
  if (verdict !== 'refused') {
    expect(response.status, text).toBe(200)
    return expect(response.headers.has('x-helix-ignored-fields')).toBe(verdict === 'ignored and reported')
  }
  expect(response.status).toBe(400)
  expect(String(JSON.parse(text).error.code)).toBe(code)
})
