import { beforeAll, test } from 'vitest'
import { completionsBody } from '../src/api/completions/request/completions-body.ts'
import { type Helix, modelName, openHelix } from '../test/harness/start-helix.ts'
import { expectEveryField } from './compatibility/expect-every-field.ts'
import { expectVerdict } from './compatibility/expect-verdict.ts'
import { completionsFields } from './completions-compatibility.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test('every field of a request is in the table', () => expectEveryField(completionsBody.json, completionsFields))

const titled = completionsFields.map((row) => [`${row.field} ${row.value ?? ''}: ${row.verdict}`, row] as const)

test.each(titled)('%s', async (_, row) => {
  const response = await fetch(`${helix.baseUrl}/completions`, {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify({ model: modelName, prompt: 'Once', ...row.sample }),
  })
  await expectVerdict(response, row)
})
