import { expect, test } from 'vitest'
import { layeredSchema } from '../harness/layered-schema.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const formatOf = (schema: unknown) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'layers', schema } },
})
const toolOf = ({ $defs, ...choice }: Record<string, unknown>) => ({
  tools: [
    { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { a: choice }, $defs } } },
  ],
})

test.each([8, 20])('a schema with layers of %i branches is accepted', async (width) => {
  const helix = await startHelix()
  const schema = layeredSchema(width)
  for (const body of [formatOf(schema), toolOf(schema), { guided_json: JSON.stringify(schema) }])
    expect((await helix.chat(body)).status).toBe(200)
})

test('while schemas use up their compile time, other requests are answered', async () => {
  const helix = await startHelix()
  let refused = 0
  const attacks = [3_000, 3_001, 3_002, 3_003].map(async (width) => {
    const response = await helix.chat(formatOf(layeredSchema(width)))
    refused += 1
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ param: 'response_format' })
  })
  const settled = Promise.all(attacks)
  const other = await helix.chat({})
  expect(other.status).toBe(200)
  expect(refused).toBeLessThan(attacks.length)
  await settled
})
