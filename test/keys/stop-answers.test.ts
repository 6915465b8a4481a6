import { expect, test } from 'vitest'
import { type BrowserSession, claimServer, goodPassword, joinAs, signUp } from '../harness/browser-session.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { type LedgerLine, settledRows } from '../harness/ledger-rows.ts'
import { liveEvents } from '../harness/live-events.ts'
import { readError } from '../harness/read-error.ts'
import { runProgram } from '../harness/run-program.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'

/** Says two tokens, then nothing more until it is stopped. */
const open = async (answers = 1) => {
  let begun = 0
  const allBegun = Promise.withResolvers<void>()
  const helix = await startHelix({
    config: { signUpsPerHour: 1000 },
    engine: { slots: 4 },
    async *answer() {
      yield* ['Once', ' upon']
      begun += 1
      if (begun === answers) allBegun.resolve()
      await new Promise(() => {})
    },
  })
  return { helix, begun: allBegun.promise }
}

const ask = ({ baseUrl }: Helix, key: string, body = {}, headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  })

/** A stream that was left behind: it goes on under its Idempotency-Key. */
const askAndLeave = async (helix: Helix, key: string): Promise<void> => {
  const events = liveEvents(await ask(helix, key, { stream: true }, { 'idempotency-key': 'kept' }))
  await events.next()
  await events.leave()
  await helix.logged({ status: 499 })
}

const errorOf = ({ data }: { data: string }) => (JSON.parse(data) as { error: { message: string; code: string } }).error

const accountOf = async (browser: BrowserSession): Promise<string> => (await browser.load()).account?.id ?? ''

type Ends = { helix: Helix; key: { id: string; key: string } }

const waysToEnd: [string, (ends: Ends) => Promise<unknown>][] = [
  [
    'revoked with helix keys revoke',
    ({ helix, key }) => runProgram(['keys', 'revoke', key.id, '--data-dir', helix.dataDir]),
  ],
  [
    'revoked by a management key',
    async ({ helix, key }) =>
      (await createKeyMaker(helix)({ scopes: ['manage'] })).call('DELETE', `/v1/keys/${key.id}`),
  ],
  [
    'rotated without a grace period',
    async ({ helix, key }) =>
      (await createKeyMaker(helix)({ scopes: ['manage'] })).call('POST', `/v1/keys/${key.id}/rotate`, {
        grace_seconds: 0,
      }),
  ],
]

test.each(waysToEnd)('streams of a key that was %s end, with or without a connection', async (_, endKey) => {
  const { helix, begun } = await open(2)
  const key = await createKeyMaker(helix)()
  const events = liveEvents(await ask(helix, key.key, { stream: true }))
  await askAndLeave(helix, key.key)
  await begun
  await endKey({ helix, key })
  const last = (await events.rest()).at(-1)
  expect(errorOf(last ?? { data: '{}' })).toMatchObject({ code: 'invalid_api_key' })
  const rows = await settledRows(helix, 2)
  const ended = { outcome: 'failed', error: expect.stringMatching(/^(revoked|rotated)_api_key$/), completionTokens: 2 }
  expect(rows).toMatchObject([ended, ended])
  expect(helix.engine.active()).toBe(0)
})

test('running answers of a rotated key continue in its grace period, until it is revoked', async () => {
  const { helix, begun } = await open(1)
  const key = await createKeyMaker(helix)()
  const manager = await createKeyMaker(helix)({ scopes: ['manage'] })
  const events = liveEvents(await ask(helix, key.key, { stream: true }))
  await begun
  expect((await manager.call('POST', `/v1/keys/${key.id}/rotate`, { grace_seconds: 60 })).status).toBe(200)
  expect(helix.engine.active()).toBe(1)
  await manager.call('DELETE', `/v1/keys/${key.id}`)
  expect(errorOf((await events.rest()).at(-1) ?? { data: '{}' }).message).toContain('has been revoked')
})

test('a JSON response ends with the error of its key', async () => {
  const { helix, begun } = await open(1)
  const key = await createKeyMaker(helix)()
  const asked = ask(helix, key.key)
  await begun
  await helix.control('POST', `/control/keys/${key.id}/revoke`)
  const response = await asked
  expect(response.status).toBe(401)
  expect((await readError(response)).code).toBe('invalid_api_key')
})

test('answers of other keys continue', async () => {
  const { helix, begun } = await open(2)
  const [first, second] = [await createKeyMaker(helix)(), await createKeyMaker(helix)()]
  const ended = liveEvents(await ask(helix, first.key, { stream: true }))
  const other = liveEvents(await ask(helix, second.key, { stream: true }))
  await begun
  await helix.control('POST', `/control/keys/${first.id}/revoke`)
  await ended.rest()
  await settledRows(helix, 1)
  expect(helix.engine.active()).toBe(1)
  await other.leave()
})

type People = { helix: Helix; owner: BrowserSession; anna: Awaited<ReturnType<typeof signUp>> }

const onTheSite: [string, string, (people: People) => Promise<Response>][] = [
  [
    'revoked on the page of keys',
    'revoked_api_key',
    ({ anna }) => anna.post(`/keys/${anna.firstKey.id}/revoke`, { name: anna.firstKey.name }),
  ],
  ['paused', 'paused_api_key', ({ anna }) => anna.post(`/keys/${anna.firstKey.id}/pause`)],
  ['suspended', 'key_suspended', ({ owner, anna }) => owner.post(`/admin/keys/${anna.firstKey.id}/suspend`)],
  [
    'of a suspended account',
    'account_suspended',
    async ({ owner, anna }) => owner.post(`/admin/accounts/${await accountOf(anna)}/suspend`),
  ],
  [
    'of a suspended organisation',
    'organisation_suspended',
    async ({ owner, anna }) => owner.post(`/admin/organisations/${(await anna.load()).organisation?.id ?? ''}/suspend`),
  ],
  [
    'of a deleted organisation',
    'revoked_api_key',
    async ({ anna }) => anna.post('/organisation/delete', { name: (await anna.load()).organisation?.name ?? '' }),
  ],
  ['of a deleted account', 'revoked_api_key', ({ anna }) => anna.post('/account/delete', { password: goodPassword })],
]

test.each(onTheSite)('an answer without a connection ends when its key is %s', async (_, error, endKey) => {
  const { helix, begun } = await open(1)
  const owner = await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  await askAndLeave(helix, anna.firstKey.key)
  await begun
  const done = await endKey({ helix, owner, anna })
  expect([200, 204]).toContain(done.status)
  const settled: Partial<LedgerLine> = { outcome: 'failed', error, completionTokens: 2 }
  expect(await settledRows(helix, 1)).toMatchObject([settled])
  expect(helix.engine.active()).toBe(0)
})

test('removing a member with their keys ends the answers of those keys', async () => {
  const { helix, begun } = await open(1)
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  const made = (await (await ben.post('/keys', { name: 'of ben' })).json()) as { key: string }
  await askAndLeave(helix, made.key)
  await begun
  const removed = await anna.post(`/organisation/members/${await accountOf(ben)}/remove`, { revokeKeys: true })
  expect([200, 204]).toContain(removed.status)
  expect(await settledRows(helix, 1)).toMatchObject([{ error: 'revoked_api_key', completionTokens: 2 }])
})

test('a playground answer ends with the membership', async () => {
  const { helix, begun } = await open(1)
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  const body = { model: modelName, messages: [{ role: 'user', content: 'Hi' }], stream: true }
  const events = liveEvents(await ben.post('/playground/chat/completions', body))
  await begun
  await anna.post(`/organisation/members/${await accountOf(ben)}/remove`, { revokeKeys: false })
  expect(errorOf((await events.rest()).at(-1) ?? { data: '{}' })).toMatchObject({ code: 'not_signed_in' })
})
