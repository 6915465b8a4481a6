import { beforeAll, expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { isNetworked } from '../harness/project-databases.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
let runs = 0
beforeAll(async () => {
  helix = await openHelix({
    *answer() {
      runs += 1
      yield* ['Run ', `${runs}`, '!']
    },
  })
  return helix.close
})
const requestIds = async (): Promise<string[]> => (await ledgerRows(helix)).map(({ requestId }) => requestId)
const expectReplayed = (response: Response): void => {
  expect(response.status).toBe(200)
  expect(response.headers.get('idempotent-replayed')).toBe('true')
}

test.each([
  ['a document', {}],
  ['a stream', { stream: true, stream_options: { include_usage: true } }],
])('%s: the same key and body get the same answer, billed once', async (kind, body) => {
  const first = await keyedChat(helix, kind, body)
  expect(first.status).toBe(200)
  expect(first.headers.has('idempotent-replayed')).toBe(false)
  const text = await first.text()
  const before = { runs, requestIds: await requestIds() }
  expect(before.requestIds.at(-1)).toBe(first.headers.get('x-request-id'))

  const second = await keyedChat(helix, kind, body)
  expectReplayed(second)
  expect(await second.text()).toBe(text)
  expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
  const ownId = second.headers.get('x-request-id')
  expect(ownId).not.toBe(first.headers.get('x-request-id'))
  expect({ runs, requestIds: await requestIds() }).toEqual(before)
  expect(await helix.logged({ requestId: ownId })).toMatchObject({ status: 200, replayed: true })
})

test('a stream with a key has ids that count its events from 0, except for [DONE]', async () => {
  const text = await (await keyedChat(helix, 'ids', { stream: true })).text()
  const events = text.trimEnd().split('\n\n')
  const id = /^id: (chatcmpl-\w+):0\n/.exec(text)?.[1]
  expect(events.map((event) => event.split('\n')[0])).toEqual([
    ...[0, 1, 2, 3, 4].map((index) => `id: ${id}:${index}`),
    'data: [DONE]',
  ])
  expect(JSON.parse(events[0]?.split('data: ')[1] ?? '').id).toBe(id)
})

test('a stream without a key has no ids', async () => {
  expect(await (await helix.chat({ stream: true })).text()).not.toContain('id: ')
})

test('key order and white space do not make a different body', async () => {
  const headers = { 'idempotency-key': 'order' }
  const message = { role: 'user', content: 'Hi' }
  await helix.post(JSON.stringify({ model: modelName, messages: [message] }), headers)
  const again = `{ "messages": [ {"content":"Hi", "role":"user"} ],\n "model": "${modelName}" }`
  expectReplayed(await helix.post(again, headers))
})

test.each([
  ['another question', { messages: [{ role: 'user', content: 'Other' }] }],
  ['a stream instead of a document', { stream: true }],
  ['a setting more', { temperature: 1 }],
])('the same key with %s is refused, and the first answer is kept', async (_, body) => {
  await (await keyedChat(helix, 'reuse')).text()
  const before = { runs, requestIds: await requestIds() }
  const other = await keyedChat(helix, 'reuse', body)
  expect(other.status).toBe(409)
  expect(other.headers.get('x-should-retry')).toBe('false')
  expect(other.headers.has('idempotent-replayed')).toBe(false)
  expect(await readError(other)).toMatchObject({ code: 'idempotency_key_reuse' })
  expectReplayed(await keyedChat(helix, 'reuse'))
  expect({ runs, requestIds: await requestIds() }).toEqual(before)
})

test.each([[false], [true]])(
  'of fifty requests with one key at once, one is executed, and all get its answer (stream: %s)',
  async (stream) => {
    const before = { runs, rows: (await requestIds()).length }
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => keyedChat(helix, `fifty ${stream}`, { stream })),
    )
    const texts = await Promise.all(responses.map((response) => response.text()))
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain(`${before.runs + 1}`)
    expect(responses.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(49)
    expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50)
    expect({ runs, rows: (await requestIds()).length }).toEqual({ runs: before.runs + 1, rows: before.rows + 1 })
  },
)

test('keys are private to an organisation, and shared by its API keys', async () => {
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const theirs = { chat: helix.chat, authorized: { ...helix.authorized, authorization: `Bearer ${anna.firstKey.key}` } }
  await (await keyedChat(helix, 'private')).text()
  const other = await keyedChat(theirs, 'private', { temperature: 1 })
  expect(other.status).toBe(200)
  expect(other.headers.has('idempotent-replayed')).toBe(false)

  const { key } = (await helix.control('POST', '/control/keys', { name: 'second' })) as { key: string }
  const colleague = { chat: helix.chat, authorized: { ...helix.authorized, authorization: `Bearer ${key}` } }
  expectReplayed(await keyedChat(colleague, 'private'))
})

test('an answer is stored for a day; after that the key starts a new one', async ({ skip }) => {
  skip(isNetworked())
  const clock = createManualClock()
  const kept = await startHelix({ clock })
  const first = await (await keyedChat(kept, 'day')).text()
  clock.advance(24 * 3_600_000 - 1)
  expect(await (await keyedChat(kept, 'day')).text()).toBe(first)
  clock.advance(1)
  const next = await keyedChat(kept, 'day')
  expect(next.headers.has('idempotent-replayed')).toBe(false)
  expect(await next.text()).not.toBe(first)
  expectReplayed(await keyedChat(kept, 'day'))
  expect(await ledgerRows(kept)).toHaveLength(2)
})
