import { expect, test } from 'vitest'
import type { HookSetting } from '../../src/config/hook-setting.ts'
import { signWebhook } from '../../src/webhooks/sign-webhook.ts'
import { mintWebhookSecret } from '../../src/webhooks/webhook-secret.ts'
import { freePort } from '../harness/free-port.ts'
import { readRows, settledRows } from '../harness/ledger-rows.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'
import { type ReceivedHook, startReceiver } from '../harness/webhook-receiver.ts'

const timeoutMs = 1234
type Asked = { phase: string; model: string; texts: { role: string; text: string }[] }
const asked = ({ body }: Pick<ReceivedHook, 'body'>): Asked => JSON.parse(body) as Asked

const start = async (
  decide: (asked: Asked) => unknown,
  { onFailure = 'block', phases = ['before'] }: Partial<Pick<HookSetting, 'onFailure' | 'phases'>> = {},
) => {
  const seen: string[][] = []
  const receiver = await startReceiver((response, hook) => {
    const decision = decide(asked(hook))
    if (decision !== undefined) response.writeHead(200).end(JSON.stringify(decision))
  })
  const clock = createManualClock()
  const hook = { name: 'policy', url: receiver.url, timeoutMs, phases, onFailure }
  const helix = await startHelix({
    clock,
    answer(messages) {
      seen.push(messages.map(({ content }) => content))
      return ['Hello', ' world']
    },
    config: { hooks: [hook] },
  })
  return { helix, receiver, clock, seen }
}

test('a server sees the texts with their roles, and may replace them', async () => {
  const { helix, receiver, seen } = await start(({ texts }) => ({
    action: 'replace',
    texts: texts.map(({ text }) => text.replace('Anna', 'NAME')),
  }))
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'I am Anna' },
  ]
  const response = await helix.chat({ messages })
  expect(response.headers.get('x-helix-hooks')).toBe('policy replaced 1')
  expect(seen).toEqual([['Be kind.', 'I am NAME']])
  expect(asked(receiver.hooks[0] ?? { body: '{}' })).toMatchObject({
    ...{ hook: 'policy', phase: 'before', model: modelName, endpoint: 'chat.completions' },
    texts: messages.map(({ role, content }) => ({ role, text: content })),
  })
})

test('half a surrogate pair in what it replaces never reaches the model', async () => {
  const { helix, seen } = await start(() => ({ action: 'replace', texts: ['cut \ud83d'] }))
  await helix.chat({})
  expect(seen).toEqual([['cut \ufffd']])
})

test('a server may block a request', async () => {
  const { helix, seen } = await start(() => ({ action: 'block' }))
  expect(await readError(await helix.chat({}))).toMatchObject({ message: expect.stringContaining("'policy'") })
  expect(seen).toEqual([])
})

test('a server that sees answers holds a stream back until it has seen all of it', async () => {
  const { helix, receiver } = await start(() => ({ action: 'replace', texts: ['Bye'] }), { phases: ['after'] })
  const events = await readEvents(await helix.chat({ stream: true }))
  expect(events.join('')).toContain('Bye')
  expect(events.join('')).not.toContain('Hello')
  expect(receiver.hooks.map(asked)).toMatchObject([
    { phase: 'after', texts: [{ role: 'assistant', text: 'Hello world' }] },
  ])
})

test.each([
  ['hangs', () => undefined],
  ['answers nonsense', () => ({ action: 'perhaps' })],
  ['returns another number of texts', () => ({ action: 'replace', texts: [] })],
])('a server that %s: the request is refused', async (kind, decide) => {
  const { helix, clock, seen } = await start(decide)
  const response = helix.chat({})
  if (kind === 'hangs') {
    await clock.awaited(timeoutMs)
    clock.advance(timeoutMs)
  }
  expect((await response).status).toBe(503)
  expect(await readError(await response)).toMatchObject({ code: 'hook_failed' })
  expect(seen).toEqual([])
})

test('a server that hangs: the request passes if the operator wants it, and the ledger says so', async () => {
  const { helix, clock, seen } = await start(() => undefined, { onFailure: 'allow' })
  const response = helix.chat({})
  await clock.awaited(timeoutMs)
  clock.advance(timeoutMs)
  expect((await response).status).toBe(200)
  expect(seen).toHaveLength(1)
  expect((await readRows(helix)).at(-1)?.settlement).toMatchObject({ hooks: 'policy failed 1' })
})

test.each([
  ['document', {}],
  ['stream', { stream: true }],
])('a server that hangs after the answer: a %s is not sent, and nothing of it is billed', async (_, body) => {
  const { helix, clock } = await start(() => undefined, { phases: ['after'] })
  const response = helix.chat(body)
  await clock.awaited(timeoutMs)
  clock.advance(timeoutMs)
  const text = await (await response).text()
  expect(text).toContain('hook_failed')
  expect(text).not.toContain('Hello')
  expect((await response).status).toBe(503)
  await settledRows(helix, 1)
  const settled = { outcome: 'failed', completionTokens: 0, hooks: 'policy failed 1' }
  expect((await readRows(helix)).at(-1)?.settlement).toMatchObject(settled)
})

test.each([
  ['document', {}],
  ['stream', { stream: true }],
])('a server that hangs after the answer: a %s passes if the operator wants it', async (_, body) => {
  const { helix, clock } = await start(() => undefined, { phases: ['after'], onFailure: 'allow' })
  const response = helix.chat(body)
  await clock.awaited(timeoutMs)
  clock.advance(timeoutMs)
  const text = await (await response).text()
  expect((await response).status).toBe(200)
  expect(text).toContain('Hello')
  expect(text).toContain(' world')
  const settled = { outcome: 'completed', completionTokens: 2, hooks: 'policy failed 1' }
  expect((await readRows(helix)).at(-1)?.settlement).toMatchObject(settled)
})

test('requests to a hook are signed as webhooks are, with both secrets while one replaces the other', async () => {
  const [current, previous] = [mintWebhookSecret(), mintWebhookSecret()]
  const receiver = await startReceiver((response) => response.writeHead(200).end('{"action":"allow"}'))
  const hook = { name: 'policy', url: receiver.url, timeoutMs, phases: ['before'], onFailure: 'block' } as const
  const helix = await startHelix({ config: { hooks: [hook], hookSecret: `${current}, ${previous}` } })
  expect((await helix.chat({})).status).toBe(200)
  const [received] = receiver.hooks
  const {
    'webhook-id': id = '',
    'webhook-timestamp': at = '0',
    'webhook-signature': signature,
  } = received?.headers ?? {}
  expect(id).toMatch(/_before_policy$/)
  const message = { id: String(id), body: received?.body ?? '' }
  expect(signWebhook(message, [current, previous], Number(at) * 1000)['webhook-signature']).toBe(signature)
})

test.each([
  ['redirects', 'it answered with status 307'],
  ['answers with a status of 500', 'it answered with status 500'],
  ['answers with HTML', 'its answer is no JSON'],
  ['cannot be reached', 'the connection failed (ECONNREFUSED)'],
])('a server that %s: the log says so in one line', async (kind, cause) => {
  const receiver = await startReceiver((response) => {
    if (kind === 'redirects') response.writeHead(307, { location: '/elsewhere' }).end()
    else response.writeHead(kind === 'answers with HTML' ? 200 : 500).end('<html>')
  })
  const url = kind === 'cannot be reached' ? `http://127.0.0.1:${await freePort()}/` : receiver.url
  const hook = { name: 'policy', url, timeoutMs: 60_000, phases: ['before'], onFailure: 'block' } as const
  const helix = await startHelix({ config: { hooks: [hook] } })
  expect((await helix.chat({})).status).toBe(503)
  expect(await helix.logged({ event: 'hook_failed' })).toMatchObject({ cause })
  expect(receiver.hooks.map(({ path }) => path)).not.toContain('/elsewhere')
})
