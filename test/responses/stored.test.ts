import { beforeAll, expect, test } from 'vitest'
import { postResponses } from '../harness/post-responses.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

const errorOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: { message: string; code: string | null; param: string | null } }).error,
})
const create = async (body: Record<string, unknown> = {}): Promise<string> => {
  const response = await postResponses(helix, body)
  return ((await response.json()) as { id: string }).id
}

/** A key with other permissions, or of another organisation. */
const keyOf = async (settings: Record<string, unknown>) => {
  const { key } = (await helix.control('POST', '/control/keys', { name: 'other', ...settings })) as { key: string }
  return { ...helix, authorized: { ...helix.authorized, authorization: `Bearer ${key}` } }
}

test('a response is stored unless the request forbids it', async () => {
  const id = await create()
  expect(await (await helix.get(`/v1/responses/${id}`)).json()).toMatchObject({ id, status: 'completed' })
  const other = await create({ store: false })
  expect(await errorOf(await helix.get(`/v1/responses/${other}`))).toMatchObject({
    status: 404,
    message: `Response with id '${other}' not found.`,
    code: null,
  })
})

test('a key that may not store anything works with the defaults, and is refused only if it asks to store', async () => {
  const chatOnly = await keyOf({ scopes: ['chat'] })
  const response = await postResponses(chatOnly, {})
  expect(response.status).toBe(200)
  const { id } = (await response.json()) as { id: string }
  expect((await helix.get(`/v1/responses/${id}`)).status).toBe(404)
  expect(await errorOf(await postResponses(chatOnly, { store: true }))).toMatchObject({ status: 403 })
  const stored = await create()
  expect(await errorOf(await postResponses(chatOnly, { previous_response_id: stored }))).toMatchObject({ status: 403 })
})

test('the input items of a response are listed from the newest, by pages', async () => {
  const input = ['One', 'Two', 'Three'].map((content) => ({ role: 'user', content }))
  const id = await create({ input })
  const page = async (query: string) =>
    (await (await helix.get(`/v1/responses/${id}/input_items${query}`)).json()) as {
      data: { id: string; content: { text: string }[] }[]
      last_id: string
      has_more: boolean
    }
  const first = await page('?limit=2')
  expect(first.data.map(({ content }) => content[0]?.text)).toEqual(['Three', 'Two'])
  expect(first.has_more).toBe(true)
  const rest = await page(`?limit=2&after=${first.last_id}&include[]=message.input_image.image_url`)
  expect([rest.data.map(({ content }) => content[0]?.text), rest.has_more]).toEqual([['One'], false])
  expect((await page('?order=asc')).data.map(({ content }) => content[0]?.text)).toEqual(['One', 'Two', 'Three'])
})

test('a stored response is streamed again from any event, also if it was not streamed', async () => {
  const id = await create()
  const all = await (await helix.get(`/v1/responses/${id}?stream=true`)).text()
  const events = all.split('\n\n')
  expect(events[0]).toContain('event: response.created')
  const rest = await (await helix.get(`/v1/responses/${id}?stream=true&starting_after=4`)).text()
  expect(rest.split('\n\n')).toEqual(events.slice(5))
})

test('what is deleted cannot be retrieved or continued, and nothing can be cancelled', async () => {
  const id = await create()
  const call = (method: string, path: string) =>
    fetch(`${helix.baseUrl}/responses/${path}`, { method, headers: helix.authorized })
  expect(await errorOf(await call('POST', `${id}/cancel`))).toMatchObject({
    status: 400,
    message: 'Cannot cancel a synchronous response.',
  })
  expect(await (await call('DELETE', id)).json()).toEqual({ id, object: 'response', deleted: true })
  expect((await call('DELETE', id)).status).toBe(404)
  expect((await call('POST', `${id}/cancel`)).status).toBe(404)
  expect(await errorOf(await postResponses(helix, { previous_response_id: id }))).toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
    message: `Previous response with id '${id}' not found.`,
  })
})
