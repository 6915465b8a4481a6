import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { platformDocument } from '../../src/platform/contract/openapi-document.ts'
import { platformOperations } from '../../src/platform/contract/operations.ts'
import { claimServer, openBrowser } from '../harness/browser-session.ts'
import { routeTable } from '../harness/route-table.ts'
import { startHelix } from '../harness/start-helix.ts'
import { validateBody } from '../harness/validate-body.ts'

test('only a signed-in person can read the document, and it has the address it was read from', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const response = await owner.get('/openapi.json')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(platformDocument(helix.url))))
  expect((await (await openBrowser(helix.url)).get('/openapi.json')).status).toBe(401)
})

test('every route of /platform is in the document with its access, and nothing else is', () => {
  const routes = routeTable().filter(({ path }) => path.startsWith('/platform'))
  const documented = Object.values(platformOperations).flatMap((operations) => Object.values(operations))
  const routed = routes.map((route) => ({
    route: `${route.method} ${route.path}`,
    access: route.access,
    role: 'role' in route ? route.role : undefined,
  }))
  const inDocument = documented.map(({ method, path, access }) => ({ route: `${method} ${path}`, ...access }))
  const byRoute = (a: { route: string }, b: { route: string }) => a.route.localeCompare(b.route)
  expect(routed.sort(byRoute)).toEqual(inDocument.map((each) => ({ role: undefined, ...each })).sort(byRoute))
})

test('every operation has an ID of its own, every schema compiles, and every reference leads somewhere', () => {
  const document = platformDocument('http://127.0.0.1')
  const ids = Object.values(platformOperations).flatMap((operations) => Object.keys(operations))
  expect(new Set(ids).size).toBe(ids.length)
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'platform', components: document.components })
  for (const name of Object.keys(document.components.schemas))
    expect(ajv.compile({ $ref: `platform#/components/schemas/${name}` })).toBeTypeOf('function')
  for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = path.split('/').reduce<unknown>((place, step) => Reflect.get(Object(place), step), document)
    expect(target, path).toBeDefined()
  }
})

test('names in the document are in camelCase, and what ends in At is a time', () => {
  const { components, ...document } = platformDocument('http://127.0.0.1')
  // Errors are the same as those of the public API.
  const { Error: _, ...schemas } = components.schemas
  const names: string[] = []
  const times: unknown[] = []
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const properties: unknown = Reflect.get(value, 'properties')
    for (const [name, schema] of Object.entries(Object(properties))) {
      names.push(name)
      if (/[a-z]At$/.test(name)) times.push(schema)
    }
    for (const inner of Object.values(value)) walk(inner)
  }
  walk({ ...document, schemas })
  // Names that WebAuthn gives.
  const given = ['clientDataJSON']
  expect(
    names.filter((name) => !/^[a-z][a-zA-Z0-9]*$/.test(name) || (/[A-Z]{2}/.test(name) && !given.includes(name))),
  ).toEqual([])
  expect(times.length).toBeGreaterThan(10)
  for (const schema of times) expect(JSON.stringify(schema)).toMatch(/"integer"/)
})

test('an answer that differs from the document is reported', () => {
  const seen = { method: 'GET', target: '/platform/keys', status: 200, type: 'application/json', encoding: '' }
  const faults = (text: string, other: object = {}) => validateBody({ ...seen, ...other, body: Buffer.from(text) })
  const keys = {
    data: [],
    organisation: { tokensToday: 0, tokensThisMonth: 0, tokensOfDays: [], uses: {} },
    timeZone: 'UTC',
  }
  expect(faults(JSON.stringify(keys))).toEqual([])
  expect(faults(JSON.stringify({ ...keys, secret: 1 }))).toHaveLength(1)
  expect(faults(JSON.stringify({ data: [] }))).toHaveLength(1)
  expect(faults('{"error":"no"}', { status: 404 })).toHaveLength(1)
  expect(faults('{}', { target: '/platform/unheard-of' })).toHaveLength(1)
  expect(faults('{}', { status: 201 })).toHaveLength(1)
  expect(faults('', { type: '' })).toHaveLength(1)
  expect(faults('', { type: 'text/csv' })).toHaveLength(1)
})
