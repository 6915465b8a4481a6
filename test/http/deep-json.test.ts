import { beforeAll, expect, test } from 'vitest'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ engine: { model: { contextTokens: 1_000_000 } } })
  return helix.close
})

const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const messages = '[{"role":"user","content":"Hi"}]'
const withField = (name: string) => (value: string) =>
  `{"model":"${modelName}","messages":${messages},"${name}":${value}}`

const places: [string, (value: string) => string][] = [
  ['as the whole body', (value) => value],
  ['as the messages', (value) => `{"model":"${modelName}","messages":${value}}`],
  ['as a content', (value) => `{"model":"${modelName}","messages":[{"role":"user","content":${value}}]}`],
  ['as metadata', withField('metadata')],
  ['as stop texts', withField('stop')],
  ['as a temperature', withField('temperature')],
  ['as tools', withField('tools')],
  ['as the parameters of a tool', (value) => withField('tools')(`[{"function":{"name":"f","parameters":${value}}}]`)],
  ['as a schema', (value) => withField('response_format')(`{"json_schema":{"name":"s","schema":${value}}}`)],
  ['in a field nobody knows', withField('nobody_knows')],
]

test.each(places)('ten thousand levels %s are a 400 that says why', async (_, place) => {
  for (const value of [arrays(10_000), objects(10_000)]) {
    const response = await helix.post(place(value))
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({
      param: null,
      code: null,
      message: expect.stringContaining('(The JSON is nested deeper than 128 levels.)'),
    })
  }
})

test.each(places)('as many levels as a body can hold %s are refused before they are parsed', async (_, place) => {
  for (const value of [arrays(1_000_000), objects(600_000), '['.repeat(4_000_000)])
    expect((await helix.post(place(value))).status).toBe(400)
  expect((await helix.chat({})).status).toBe(200)
})

test('brackets inside a string do not count as nesting', async () => {
  expect((await helix.chat({ messages: [{ role: 'user', content: '[{"\\'.repeat(10_000) }] })).status).toBe(200)
})

test('nesting up to the limit is accepted', async () => {
  const response = await helix.post(withField('temperature')(arrays(127)))
  expect(await readError(response)).toMatchObject({ code: 'invalid_type', param: 'temperature' })
  const deeper = await helix.post(withField('temperature')(arrays(128)))
  expect(await readError(deeper)).toMatchObject({ code: null, param: null })
})
