import { beforeAll, expect, test } from 'vitest'
import type { HookSetting } from '../../src/config/hook-setting.ts'
import { readRows, settledRows } from '../harness/ledger-rows.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

const key = `sk-${'a1b2c3d4'.repeat(5)}`
const patterns = {
  url: null,
  secrets: [],
  patterns: [],
  action: 'redact',
  phases: ['before', 'after'],
  onFailure: 'block',
} as const
const hooks: HookSetting[] = [
  { ...patterns, name: 'secrets', secrets: ['api_keys', 'cards'] },
  { ...patterns, name: 'birds', patterns: ['project (falcon|heron)'], action: 'block' },
]
let helix: Helix
let seen: string[] = []
let answer: string[] = []
beforeAll(async () => {
  helix = await openHelix({
    answer(messages) {
      seen = messages.map(({ content }) => content)
      return answer
    },
    config: { hooks },
  })
  return helix.close
})
const ask = (content: string, body: Record<string, unknown> = {}) =>
  helix.chat({ messages: [{ role: 'user', content }], ...body })
const contentOf = async (response: Response): Promise<string> => {
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  return choices.map(({ message }) => message.content).join()
}
const streamed = async (response: Response): Promise<string> =>
  (await readEvents(response))
    .filter((data) => data !== '[DONE]')
    .map((data) => (JSON.parse(data) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '')
    .join('')

test('the model never sees a secret, and the ledger and the header say how many were redacted', async () => {
  answer = ['Fine']
  const response = await ask(`My key is ${key} and my card 4111 1111 1111 1111.`)
  expect(await contentOf(response)).toBe('Fine')
  expect(seen).toEqual(['My key is [redacted] and my card [redacted].'])
  expect(response.headers.get('x-helix-hooks')).toBe('secrets redacted 2')
  expect((await readRows(helix)).at(-1)?.settlement).toMatchObject({ hooks: 'secrets redacted 2' })
})

test.each([true, false])('a secret of an answer is redacted however it is divided (stream: %s)', async (stream) => {
  answer = ['It is ', 's', 'k-', ...key.slice(3, 30), key.slice(30), ', and 41', '11 1111 1111', ' 1111', '.', ' Bye']
  const response = await ask('Which?', { stream })
  expect(await (stream ? streamed(response) : contentOf(response))).toBe('It is [redacted], and [redacted]. Bye')
  expect((await readRows(helix)).at(-1)?.settlement).toMatchObject({
    ...{ hooks: 'secrets redacted 2', outcome: 'completed', completionTokens: answer.length },
  })
})

test('log probabilities and token ids do not show what was redacted', async () => {
  answer = ['It is ', key, '!', ' Bye']
  const text = await (await ask('Which?', { logprobs: true, return_token_ids: true })).text()
  expect(text).toContain('[redacted]')
  expect(text).not.toContain(key)
  const bytes = [...Buffer.from(key)].join(',')
  expect(text).not.toContain(bytes)
})

test('text that only begins like a secret is sent as it is', async () => {
  answer = ['sk-', 'short', ' 4111', ' 1111']
  expect(await streamed(await ask('Which?', { stream: true }))).toBe('sk-short 4111 1111')
  expect((await readRows(helix)).at(-1)?.settlement?.hooks).toBeUndefined()
})

test('a request that a policy blocks is refused by name, and the request log says so', async () => {
  seen = []
  const response = await ask('Tell me about project falcon')
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ code: 'content_policy_violation' })
  expect(seen).toEqual([])
  const requestId = response.headers.get('x-request-id')
  expect(await helix.logged({ requestId })).toMatchObject({ hooks: 'birds blocked 1', status: 400 })
})

test('an answer that a policy blocks ends with an error', async () => {
  answer = ['We call it ', 'project', ' her', 'on', '.']
  expect((await ask('What?')).status).toBe(400)
  const events = await readEvents(await ask('What?', { stream: true }))
  expect(events.join('')).not.toContain('project')
  expect(events.at(-1)).toContain('content_policy_violation')
  // It is settled while the error is sent.
  await settledRows(helix, (await readRows(helix)).length)
  expect((await readRows(helix)).at(-1)?.settlement).toMatchObject({
    ...{ outcome: 'failed', error: 'blocked_by_hook', hooks: 'birds blocked 1' },
  })
})

test('a server with a pattern that is not supported does not start', async () => {
  const hooks: HookSetting[] = [{ ...patterns, name: 'odd', patterns: ['(?=a)b'] }]
  await expect(startHelix({ config: { hooks } })).rejects.toThrow('A pattern of the hook odd is not supported')
})
