import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRouter, type HttpRoute } from './route.ts'

const handle = (): void => {}
const routes: HttpRoute[] = [
  { method: 'GET', path: '/v1/models', handle },
  { method: 'GET', path: '/v1/models/{model}', handle },
  { method: 'POST', path: '/v1/models/{model}', handle },
  { method: 'DELETE', path: '/a/{first}/b/{second}', handle },
]
const match = createRouter(routes)

test('a path is matched by its segments, with any value for a name', () => {
  expect(match('GET', '/v1/models')).toMatchObject({ outcome: 'found', route: routes[0], params: {} })
  expect(match('POST', '/v1/models/x')).toMatchObject({ route: routes[2], params: { model: 'x' } })
  expect(match('DELETE', '/a/1/b/2')).toMatchObject({ params: { first: '1', second: '2' } })
})

test('HEAD matches wherever GET does', () => {
  expect(match('HEAD', '/v1/models')).toMatchObject({ outcome: 'found', route: routes[0] })
  expect(match('HEAD', '/a/1/b/2')).toEqual({ outcome: 'wrong_method', allowed: ['DELETE', 'OPTIONS'] })
})

test('another method, and OPTIONS, get the list of supported methods', () => {
  const allowed = ['GET', 'HEAD', 'POST', 'OPTIONS']
  expect(match('PUT', '/v1/models/x')).toEqual({ outcome: 'wrong_method', allowed })
  expect(match('OPTIONS', '/v1/models/x')).toEqual({ outcome: 'options', allowed })
  expect(match('OPTIONS', '/v1/models/x/y')).toEqual({ outcome: 'unknown' })
})

test.each([
  '',
  '/',
  '/v1',
  '/v1/models/',
  '/v1/models//',
  '//v1/models',
  '/V1/models',
  '/v1/models/a/b',
  '/v1/models/%E0%A4%A',
])('the path %j leads nowhere', (path) => {
  expect(match('GET', path)).toEqual({ outcome: 'unknown' })
})

/** Building fast-check's own unit of every grapheme takes longer than all of these tests. */
const letter = fc.constantFrom('a', '/', '%', '2', 'F', '?', '#', ' ', '+', '{', '}', '\0', 'é', '日', '👩‍👩‍👧')

test('any name is decoded to what was percent-encoded', () => {
  const name = fc.string({ unit: letter, minLength: 1 })
  fc.assert(
    fc.property(name, (model) => {
      expect(match('GET', `/v1/models/${encodeURIComponent(model)}`)).toMatchObject({ params: { model } })
    }),
  )
})

test('no path makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: letter }), (path) => {
      expect(['found', 'unknown', 'wrong_method']).toContain(match('GET', path).outcome)
    }),
  )
})

test('a path that is excepted does not exist, whatever the method', () => {
  const except = ['/v1/things/compact']
  const own = createRouter([{ method: 'GET', path: '/v1/things/{thing}', except, handle }])
  expect(own('GET', '/v1/things/a')).toMatchObject({ outcome: 'found' })
  for (const method of ['GET', 'POST']) expect(own(method, '/v1/things/compact')).toEqual({ outcome: 'unknown' })
})
