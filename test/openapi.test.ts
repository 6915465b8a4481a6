import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import type { OpenapiDocument } from '../src/api/openapi/document.ts'
import { operations } from '../src/api/openapi/operations.ts'
import { routeTable } from './harness/route-table.ts'
import { type Helix, openHelix } from './harness/start-helix.ts'
import { validateBody } from './harness/validate-body.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

const readDocument = async (): Promise<OpenapiDocument> => {
  const response = await fetch(`${helix.baseUrl}/openapi.json`)
  return (await response.json()) as OpenapiDocument
}

test('anyone may read the document, and it names the address it was read from', async () => {
  const response = await fetch(`${helix.baseUrl}/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: helix.baseUrl }] })
})

test('every /v1 route is in the document, and nothing else is', () => {
  const routes = routeTable().filter(({ path }) => path.startsWith('/v1/'))
  const listed = (entries: readonly { method: string; path: string }[]) =>
    entries.map(({ method, path }) => `${method} ${path}`).sort()
  expect(listed(operations)).toEqual(listed(routes))
  const keyed = (routes.filter(({ access }) => access === 'key') ?? []).length
  expect(operations.filter(({ needsKey }) => needsKey).length).toBe(keyed)
})

test('every schema in it compiles, and every reference leads somewhere', async () => {
  const document = await readDocument()
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'openapi', components: document.components })
  for (const name of Object.keys(document.components.schemas))
    expect(ajv.compile({ $ref: `openapi#/components/schemas/${name}` })).toBeTypeOf('function')
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
  for (const [, path = ''] of references) {
    const target = path.split('/').reduce<unknown>((place, step) => Reflect.get(Object(place), step), document)
    expect(target, path).toBeDefined()
  }
})

test('all that was documented of a request is there: every field, with what it may hold', async () => {
  const { components } = await readDocument()
  const properties = components.schemas.CreateChatCompletion?.properties
  expect(properties).toMatchObject({
    temperature: { anyOf: [{ type: 'number', minimum: 0, maximum: 2 }, { type: 'null' }] },
    messages: { type: 'array', minItems: 1 },
    n: { anyOf: [{ minimum: 1, maximum: 128 }, { type: 'null' }] },
  })
})

test('an answer that differs from the document is reported', () => {
  const seen = { method: 'POST', target: '/v1/chat/completions', status: 200, type: 'application/json', encoding: '' }
  const faults = (text: string, other: object = {}) => validateBody({ ...seen, ...other, body: Buffer.from(text) })
  expect(faults('{"id":"chatcmpl-1"}')).toHaveLength(1)
  expect(faults('{"error":{"message":"no"}}', { status: 400 })).toHaveLength(1)
  expect(faults('data: {"id":"x"}\n\ndata: [DONE]\n\n', { type: 'text/event-stream' })).toHaveLength(1)
  expect(faults('{}', { status: 201 })).toHaveLength(1)
})
