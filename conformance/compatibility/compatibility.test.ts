import { beforeAll, expect, test } from 'vitest'
import { chatBody } from '../../src/api/chat-completions/request/body.ts'
import { type Helix, openHelix } from '../../test/harness/start-helix.ts'
import { checks } from '../checks.ts'
import { findMissingTitles, findShownChecks } from '../shown-checks.ts'
import { extensionFields } from './extension-fields.ts'
import { messageFields } from './message-fields.ts'
import { requestFields } from './request-fields.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

const fields = [...messageFields, ...requestFields, ...extensionFields]

test('every field of a request is in the table', () => {
  const properties = Object.keys(Object(chatBody.json.properties))
  const listed = new Set(fields.map(({ field }) => field.replace(/\..*/, '')))
  expect(properties.filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => !properties.includes(name))).toEqual(['any other field'])
})

test.each(fields.map((support) => [`${support.field} ${support.value ?? ''}: ${support.verdict}`, support] as const))(
  '%s',
  async (_, { verdict, code, sample }) => {
    const response = await helix.chat(sample)
    const text = await response.text()
    if (verdict !== 'refused') {
      expect(response.status, text).toBe(200)
      return expect(response.headers.has('x-helix-ignored-fields')).toBe(verdict === 'ignored and reported')
    }
    expect(response.status).toBe(400)
    expect(String(JSON.parse(text).error.code)).toBe(code)
  },
)

test('every check of the contract is shown by a test', () => {
  const shown = findShownChecks()
  const missing = checks.filter(({ number }) => !shown.has(number))
  expect(missing.map(({ number }) => number)).toEqual([])
})

test('the tests that are listed for the checks exist', () => {
  expect(findMissingTitles()).toEqual([])
})
