import { beforeAll, expect, test } from 'vitest'
import { openStoredCompletions, type StoredCompletions } from '../harness/open-stored-completions.ts'
import { readError } from '../harness/read-error.ts'

let stored: StoredCompletions
beforeAll(async () => {
  stored = await openStoredCompletions()
  return stored.close
})

const ways: [method: string, path: string, body?: unknown][] = [
  ['GET', ''],
  ['POST', '', { metadata: { a: 'stolen' } }],
  ['DELETE', ''],
  ['GET', '/messages'],
]

test.each(ways)('%s …/{id}%s of an unknown id is not found', async (method, path, body) => {
  const { call } = await stored.newOrganisation()
  for (const id of ['chatcmpl-unknown', 'a/b', '\0', '🔑']) {
    const response = await call(method, `/${encodeURIComponent(id)}${path}`, body)
    expect(response.status).toBe(404)
    expect(await readError(response)).toEqual({
      message: `No stored chat completion found with ID '${id}'.`,
      type: 'invalid_request_error',
      param: null,
      code: 'not_found',
    })
  }
})

test("another organisation's completions cannot be seen, changed or deleted", async () => {
  const [owner, stranger] = [await stored.newOrganisation(), await stored.newOrganisation()]
  const id = await owner.keep({ metadata: { a: 'b' } })
  for (const [method, path, body] of ways) expect((await stranger.call(method, `/${id}${path}`, body)).status).toBe(404)
  expect(await (await stranger.call('GET')).json()).toMatchObject({ data: [] })
  expect(await (await stranger.call('GET', '?metadata[a]=b')).json()).toMatchObject({ data: [] })
  expect((await stranger.call('GET', `?after=${id}`)).status).toBe(400)
  expect(await (await owner.call('GET', `/${id}`)).json()).toMatchObject({ id, metadata: { a: 'b' } })
})

test('an error contains only part of a long id', async () => {
  const { call } = await stored.newOrganisation()
  const response = await call('GET', `/${'x'.repeat(5000)}`)
  expect(response.status).toBe(404)
  expect((await readError(response)).message.length).toBeLessThan(200)
})

test.each(ways)('%s …/{id}%s needs a key', async (method, path) => {
  const { keep } = await stored.newOrganisation()
  const response = await fetch(`${stored.url}/v1/chat/completions/${await keep()}${path}`, { method })
  expect(response.status).toBe(401)
  await readError(response)
})
