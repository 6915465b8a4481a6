import OpenAI from 'openai'
import { beforeAll, expect, test } from 'vitest'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

/** The official client does not name the header: an application sends it with the request. */
let helix: Helix
let runs = 0
beforeAll(async () => {
  helix = await openHelix({
    *answer() {
      runs += 1
      yield* ['Run ', `${runs}`]
    },
  })
  return helix.close
})
const clientOf = (more = {}): OpenAI =>
  new OpenAI({ baseURL: helix.baseUrl, apiKey: helix.key, maxRetries: 0, ...more })
const question = { model: modelName, messages: [{ role: 'user' as const, content: 'Hi' }] }
const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })

test('create: the same completion again', async () => {
  const client = clientOf()
  const first = await client.chat.completions.create(question, withKey('create'))
  const second = await client.chat.completions.create(question, withKey('create'))
  expect({ ...second, _request_id: null }).toEqual({ ...first, _request_id: null })
  expect(second._request_id).not.toBe(first._request_id)
  const third = await client.chat.completions.create(question, withKey('create')).asResponse()
  expect(third.headers.get('idempotent-replayed')).toBe('true')
})

test('create with stream: the same chunks again', async () => {
  const client = clientOf()
  const ask = async () =>
    Array.fromAsync(await client.chat.completions.create({ ...question, stream: true }, withKey('stream')))
  expect(await ask()).toEqual(await ask())
})

test('stream(): the helper assembles the same answer', async () => {
  const client = clientOf()
  const ask = () => client.chat.completions.stream(question, withKey('helper')).finalChatCompletion()
  const first = await ask()
  expect(await ask()).toEqual(first)
  expect(first.choices[0]?.message.content).toMatch(/^Run \d$/)
})

test('another body with the key is a conflict, and the client does not retry', async () => {
  let attempts = 0
  const client = clientOf({
    maxRetries: 3,
    fetch(url: string, init: RequestInit) {
      attempts += 1
      return fetch(url, init)
    },
  })
  await client.chat.completions.create(question, withKey('conflict'))
  const other = client.chat.completions.create({ ...question, temperature: 1 }, withKey('conflict'))
  await expect(other).rejects.toBeInstanceOf(OpenAI.ConflictError)
  await expect(other).rejects.toMatchObject({ status: 409, code: 'idempotency_key_reuse' })
  expect(attempts).toBe(2)
})

test('an answer that was lost in transit is retried by the client automatically and billed once', async () => {
  const before = { runs, rows: (await ledgerRows(helix)).length }
  let lost: string | null = null
  const client = clientOf({
    maxRetries: 1,
    async fetch(url: string, init: RequestInit) {
      const response = await fetch(url, init)
      if (lost !== null) return response
      const { id } = (await response.json()) as { id: string }
      lost = id
      throw new TypeError('the network is gone')
    },
  })
  const completion = await client.chat.completions.create(question, withKey('lost'))
  expect(completion.id).toBe(lost)
  expect({ runs, rows: (await ledgerRows(helix)).length }).toEqual({ runs: before.runs + 1, rows: before.rows + 1 })
})

test('if the client knows the name of the header, it generates keys, and its own option works', async () => {
  class SafeOpenAI extends OpenAI {
    protected override idempotencyHeader = 'Idempotency-Key'
  }
  const client = new SafeOpenAI({ baseURL: helix.baseUrl, apiKey: helix.key })
  const first = await client.chat.completions.create(question, { idempotencyKey: 'option' })
  expect((await client.chat.completions.create(question, { idempotencyKey: 'option' })).id).toBe(first.id)
  const [one, other] = [await client.chat.completions.create(question), await client.chat.completions.create(question)]
  expect(one.id).not.toBe(other.id)
})
