import { beforeAll, expect, test } from 'vitest'
import { openStoredCompletions, type StoredCompletions } from '../harness/open-stored-completions.ts'

let stored: StoredCompletions
beforeAll(async () => {
  stored = await openStoredCompletions()
  return stored.close
})

type List = {
  object: string
  data: { id: string }[]
  first_id: string | null
  last_id: string | null
  has_more: boolean
}

const bodyOf = async (response: Response): Promise<unknown> => {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  return await response.json()
}
const listOf = async (response: Response): Promise<List> => (await bodyOf(response)) as List
const idsOf = async (response: Response): Promise<string[]> => (await listOf(response)).data.map(({ id }) => id)

test('a stored completion is returned as it was sent, with the parameters of its request', async () => {
  const { call, keep } = await stored.newOrganisation()
  const id = await keep({ text: '日本語', metadata: { topic: 'demo' } })
  expect(await bodyOf(await call('GET', `/${id}`))).toEqual({
    id,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'helix-v1',
    request_id: 'req_test',
    tool_choice: null,
    seed: 7,
    top_p: 1,
    temperature: 0.5,
    presence_penalty: 0,
    frequency_penalty: 0,
    input_user: null,
    tools: null,
    metadata: { topic: 'demo' },
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: '日本語', refusal: null, tool_calls: null, function_call: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: expect.objectContaining({ prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }),
    service_tier: 'default',
    system_fingerprint: 'fp_test',
    response_format: null,
  })
})

test('an empty list has no ids', async () => {
  const { call } = await stored.newOrganisation()
  const empty = { object: 'list', data: [], first_id: null, last_id: null, has_more: false }
  expect(await bodyOf(await call('GET'))).toEqual(empty)
  expect(await bodyOf(await call('GET', '?'))).toEqual(empty)
})

test('the list is in order of creation, by default twenty per page, and continues after the last id', async () => {
  const { call, keep } = await stored.newOrganisation()
  const ids: string[] = []
  for (let n = 0; n < 22; n += 1) ids.push(await keep({ createdAt: 1_700_000_000_000 + Math.floor(n / 2) }))
  const page = await listOf(await call('GET'))
  expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 20))
  expect(page).toMatchObject({ object: 'list', first_id: ids[0], last_id: ids[19], has_more: true })
  const rest = await listOf(await call('GET', `?after=${page.last_id}`))
  expect(rest.data.map(({ id }) => id)).toEqual(ids.slice(20))
  expect(rest).toMatchObject({ first_id: ids[20], last_id: ids[21], has_more: false })
  expect(await idsOf(await call('GET', '?order=desc&limit=100'))).toEqual(ids.toReversed())
  expect(await idsOf(await call('GET', `?order=desc&limit=2&after=${ids[2]}`))).toEqual([ids[1], ids[0]])
  expect(await idsOf(await call('GET', `?limit=5&limit=1&after=${ids[0]}&after=${ids[1]}`))).toEqual([ids[2]])
})

test('the list can be filtered by model and metadata', async () => {
  const { call, keep } = await stored.newOrganisation()
  const red = await keep({ metadata: { colour: 'red', 'ключ [1]': 'a&b=c' } })
  const blue = await keep({ metadata: { colour: 'blue' } })
  const old = await keep({ model: 'helix-v0', metadata: { colour: 'red' } })
  const bare = await keep()
  const all = [red, blue, old, bare]
  expect(await idsOf(await call('GET'))).toEqual(all)
  expect(await idsOf(await call('GET', '?model=helix-v1'))).toEqual([red, blue, bare])
  expect(await idsOf(await call('GET', '?metadata[colour]=red'))).toEqual([red, old])
  expect(await idsOf(await call('GET', '?metadata%5Bcolour%5D=red&model=helix-v0'))).toEqual([old])
  const odd = `?metadata[colour]=red&metadata[${encodeURIComponent('ключ [1]')}]=a%26b%3Dc`
  expect(await idsOf(await call('GET', odd))).toEqual([red])
  expect(await idsOf(await call('GET', '?metadata[colour]=green'))).toEqual([])
  expect(await idsOf(await call('GET', "?model=' OR 1=1 --"))).toEqual([])
})

test('new metadata replaces the old, null removes it, and the rest stays', async () => {
  const { call, keep } = await stored.newOrganisation()
  const id = await keep({ metadata: { a: '1' } })
  const before = await bodyOf(await call('GET', `/${id}`))
  const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`${n}`.padStart(64, 'k'), 'v'.repeat(512)]))
  for (const changed of [metadata, { ['__proto__']: 'x' }, {}, null]) {
    const expected = { ...(before as object), metadata: changed }
    expect(await bodyOf(await call('POST', `/${id}`, { metadata: changed }))).toEqual(expected)
    expect(await bodyOf(await call('GET', `/${id}`))).toEqual(expected)
  }
  await call('POST', `/${id}`, { metadata: { b: '2' } })
  expect(await idsOf(await call('GET', '?metadata[b]=2'))).toEqual([id])
  expect(await idsOf(await call('GET', '?metadata[a]=1'))).toEqual([])
})

test('a deleted completion is gone, and only that one', async () => {
  const { call, keep } = await stored.newOrganisation()
  const [first, second] = [await keep(), await keep()]
  expect(await bodyOf(await call('DELETE', `/${first}`))).toEqual({
    object: 'chat.completion.deleted',
    id: first,
    deleted: true,
  })
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/messages'],
  ] as const)
    expect((await call(method, `/${first}${path}`)).status).toBe(404)
  expect((await call('POST', `/${first}`, { metadata: null })).status).toBe(404)
  expect(await idsOf(await call('GET'))).toEqual([second])
})

test('messages are returned as they were sent, with ids, and parts as text and as parts', async () => {
  const { call, keep } = await stored.newOrganisation()
  const parts = [
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ]
  const picture = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }]
  const toolCalls = [{ id: 'call_123456789', type: 'function', function: { name: 'f', arguments: '{}' } }]
  const messages = [
    { role: 'system', content: 'Be brief.', name: 'boss' },
    { role: 'user', content: parts },
    { role: 'assistant', tool_calls: toolCalls },
    { role: 'tool', content: '', tool_call_id: 'call_123456789' },
    { role: 'user', content: picture },
  ]
  const id = await keep({ messages })
  const common = { name: null, refusal: null, content_parts: null }
  expect(await bodyOf(await call('GET', `/${id}/messages`))).toEqual({
    object: 'list',
    data: [
      { ...common, id: `${id}-0`, role: 'system', content: 'Be brief.', name: 'boss' },
      { ...common, id: `${id}-1`, role: 'user', content: 'one\ntwo', content_parts: parts },
      { ...common, id: `${id}-2`, role: 'assistant', content: null, tool_calls: toolCalls },
      { ...common, id: `${id}-3`, role: 'tool', content: '', tool_call_id: 'call_123456789' },
      { ...common, id: `${id}-4`, role: 'user', content: null, content_parts: picture },
    ],
    first_id: `${id}-0`,
    last_id: `${id}-4`,
    has_more: false,
  })
})

test('messages are listed in pages, in both orders', async () => {
  const { call, keep } = await stored.newOrganisation()
  const messages = Array.from({ length: 21 }, (_, n) => ({ role: 'user', content: `${n}` }))
  const id = await keep({ messages })
  const ids = messages.map((_, n) => `${id}-${n}`)
  expect(await listOf(await call('GET', `/${id}/messages`))).toMatchObject({ last_id: ids[19], has_more: true })
  expect(await idsOf(await call('GET', `/${id}/messages?after=${ids[19]}`))).toEqual([ids[20]])
  expect(await listOf(await call('GET', `/${id}/messages?limit=21`))).toMatchObject({ has_more: false })
  expect(await idsOf(await call('GET', `/${id}/messages?order=desc&limit=100`))).toEqual(ids.toReversed())
  const last = await listOf(await call('GET', `/${id}/messages?order=desc&limit=2&after=${ids[2]}`))
  expect(last.data.map((message) => message.id)).toEqual([ids[1], ids[0]])
  expect(last.has_more).toBe(false)
  const beyond = await listOf(await call('GET', `/${id}/messages?after=${ids[20]}`))
  expect(beyond).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false })
})

test('HEAD has the headers of GET and no body, for errors too', async () => {
  const { call, keep } = await stored.newOrganisation()
  const id = await keep()
  for (const path of ['', `/${id}`, `/${id}/messages`, '/chatcmpl-unknown']) {
    const [get, head] = [await call('GET', path), await call('HEAD', path)]
    expect(head.status).toBe(get.status)
    expect(head.headers.get('content-type')).toBe('application/json')
    expect(await head.text()).toBe('')
  }
})
