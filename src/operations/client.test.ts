import { expect, test } from 'vitest'
import { object, optional } from '../http/schema/containers.ts'
import { string } from '../http/schema/scalars.ts'
import { createClient, type OperationRequest } from './client.ts'
import { operationsUnder } from './operation.ts'

const { get, post, remove } = operationsUnder('/control')
const socket = { access: 'socket' } as const
const operations = {
  list: get('/things', socket, 'Lists things.', {
    query: object({ from: optional(string()), name: optional(string()) }),
    answer: object({ first: string() }),
  }),
  rename: post('/things/{thing}/parts/{part}', socket, 'Renames a part.', { body: object({ name: string() }) }),
  drop: remove('/things/{thing}', socket, 'Removes a thing.', {}),
  reload: post('/reload', socket, 'Reads the list again.', {}),
}

test('a call is sent to the method and path of its row, with names, query and body in their places', async () => {
  const sent: OperationRequest[] = []
  const client = createClient(operations, async (request) => {
    sent.push(request)
    return { first: 'a' }
  })
  expect((await client.list({ query: { from: 'a b', name: '日本&x=y' } })).first).toBe('a')
  await client.rename({ params: { thing: '../keys?x', part: '100%' }, body: { name: 'new' } })
  await client.drop({ params: { thing: 'a/b' } })
  await client.reload()
  expect(sent).toEqual([
    { method: 'GET', path: '/control/things?from=a+b&name=%E6%97%A5%E6%9C%AC%26x%3Dy' },
    { method: 'POST', path: '/control/things/..%2Fkeys%3Fx/parts/100%25', body: { name: 'new' } },
    { method: 'DELETE', path: '/control/things/a%2Fb' },
    { method: 'POST', path: '/control/reload' },
  ])
})

test('what a row does not have cannot be given, and what it has cannot be left out', () => {
  const client = createClient(operations, async () => null)
  // The type checker fails if one of these is no error.
  const calls = () => [
    // @ts-expect-error the name of the thing is missing
    client.drop({}),
    // @ts-expect-error it has no body
    client.drop({ params: { thing: 'a' }, body: {} }),
    // @ts-expect-error another name than that in the path
    client.drop({ params: { part: 'a' } }),
    // @ts-expect-error a name of another type
    client.rename({ params: { thing: 'a', part: 'b' }, body: { name: 1 } }),
    // @ts-expect-error nothing is given to it
    client.reload({ body: {} }),
  ]
  expect(calls).toBeTypeOf('function')
})
