import { beforeAll, expect, test } from 'vitest'
import { chatBody } from '../../src/api/chat-completions/request/body.ts'
import { type Helix, openHelix } from '../../test/harness/start-helix.ts'
import { checks } from '../checks.ts'
import { findMissingTitles, findShownChecks } from '../shown-checks.ts'
import { expectEveryField } from './expect-every-field.ts'
import { expectVerdict } from './expect-verdict.ts'
import { extensionFields } from './extension-fields.ts'
import { messageFields } from './message-fields.ts'
import { requestFields } from './request-fields.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

const fields = [...messageFields, ...requestFields, ...extensionFields]

test('every field of a request is in the table', () => expectEveryField(chatBody.json, fields))

test.each(fields.map((support) => [`${support.field} ${support.value ?? ''}: ${support.verdict}`, support] as const))(
  '%s',
  async (_, row) => {
    const response = await helix.chat(row.sample)
    await expectVerdict(response, row)
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
