import { beforeAll, test } from 'vitest'
import { responsesBody } from '../src/api/responses/request/responses-body.ts'
import { postResponses } from '../test/harness/post-responses.ts'
import { type Helix, openHelix } from '../test/harness/start-helix.ts'
import { expectEveryField } from './compatibility/expect-every-field.ts'
import { expectVerdict } from './compatibility/expect-verdict.ts'
import { responsesFields } from './responses-compatibility.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test('every field of a request is in the table', () => expectEveryField(responsesBody.json, responsesFields))

const titled = responsesFields.map((row) => [`${row.field} ${row.value ?? ''}: ${row.verdict}`, row] as const)

test.each(titled)('%s', async (_, row) => {
  const response = await postResponses(helix, row.sample)
  await expectVerdict(response, row)
})
