import { beforeAll, expect, test } from 'vitest'
import type { KeyDetails } from '../../src/platform/contract/keys.ts'
import { noLimits } from '../../src/store/limit-names.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
let anna: Awaited<ReturnType<typeof signUp>>
beforeAll(async () => {
  helix = await openHelix()
  owner = await claimServer(helix)
  anna = await signUp(helix.url, 'anna@example.com')
  return helix.close
})

type Key = { id: string; name: string; key: string; revokedAt: number | null }
const keysOf = async (browser: typeof anna): Promise<Key[]> =>
  ((await (await browser.get('/keys')).json()) as { data: Key[] }).data
const modelsWith = async (key: string): Promise<number> =>
  (await fetch(`${helix.baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } })).status

test('a key is created, shown once, listed without its secret, newest first, and revoked by typing its name', async () => {
  const expiresAt = Date.now() + 86_400_000
  const response = await anna.post('/keys', { name: '開発用', expiresAt })
  expect(response.status).toBe(201)
  const { key, ...made } = (await response.json()) as Key
  expect({ key, ...made }).toEqual({
    id: expect.stringMatching(/^key_/),
    name: '開発用',
    key: expect.stringMatching(/^hx_live_\w{39}$/),
    prefix: key.slice(0, 12),
    state: 'active',
    lastFour: key.slice(-4),
    createdAt: expect.any(Number),
    expiresAt,
    revokedAt: null,
    suspendedAt: null,
    pausedAt: null,
    lastUsedAt: null,
    previousUntil: null,
    createdBy: 'anna@example.com',
    scopes: ['chat', 'models', 'completions.read', 'completions.write'],
    models: null,
    networks: null,
    limits: noLimits,
  })
  expect(await modelsWith(key)).toBe(200)
  const listed = await anna.get('/keys')
  const text = await listed.text()
  expect(text).not.toContain(key.slice(12, -4))
  expect(JSON.parse(text).data).toMatchObject([
    { ...made, lastUsedAt: expect.any(Number), uses: {}, tokensToday: 0 },
    { id: anna.firstKey.id, name: 'First key' },
  ])

  const typo = await anna.post(`/keys/${made.id}/revoke`, { name: '開発' })
  expect(typo.status).toBe(400)
  expect(await readError(typo)).toMatchObject({ code: 'confirmation_mismatch', param: 'name' })
  expect(await modelsWith(key)).toBe(200)
  const revoked = await anna.post(`/keys/${made.id}/revoke`, { name: '開発用' })
  const shown = await revoked.json()
  expect(shown).toEqual({ ...made, state: 'revoked', revokedAt: expect.any(Number), lastUsedAt: expect.any(Number) })
  expect(await modelsWith(key)).toBe(401)
  expect(await (await anna.post(`/keys/${made.id}/revoke`, { name: '開発用' })).json()).toEqual(shown)
})

test.each([
  [{ name: '', expiresAt: null }, 'name', 'invalid_value'],
  [{ name: 'x'.repeat(101) }, 'name', 'invalid_value'],
  [{ expiresAt: null }, 'name', 'missing_required_parameter'],
  [{ name: 'x', expiresAt: 1 }, 'expiresAt', 'invalid_value'],
  [{ name: 'x', expiresAt: '2030' }, 'expiresAt', 'invalid_type'],
  [{ name: 'x', organisationId: 'org_1' }, 'organisationId', 'unknown_parameter'],
])('an invalid key is refused: %j', async (body, param, code) => {
  const response = await anna.post('/keys', body)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param, code })
})

test('keys of another organisation can be neither seen nor revoked, even by the owner of the server', async () => {
  const [ofAnna, ofOwner] = [await keysOf(anna), await keysOf(owner)]
  expect(ofAnna.filter(({ id }) => ofOwner.some((other) => other.id === id))).toEqual([])
  for (const [browser, { firstKey }] of [
    [owner, anna],
    [anna, owner],
  ] as const) {
    const response = await browser.post(`/keys/${firstKey.id}/revoke`, { name: firstKey.name })
    expect(response.status).toBe(404)
    expect(await readError(response)).toMatchObject({ code: 'not_found' })
    expect(await modelsWith(firstKey.key)).toBe(200)
  }
})

test('the command line sees all keys', async () => {
  const { data } = (await helix.control('GET', '/control/keys')) as { data: Key[] }
  const ids = data.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([anna.firstKey.id, owner.firstKey.id]))
})

test('a member pauses their own key until they resume it, whatever the owner of the server does meanwhile', async () => {
  const made = (await (await anna.post('/keys', { name: 'paused' })).json()) as Key
  const set = async (act: 'pause' | 'resume'): Promise<unknown> =>
    ((await (await anna.post(`/keys/${made.id}/${act}`)).json()) as { state: string }).state
  expect(await set('pause')).toBe('paused')
  const refused = await fetch(`${helix.baseUrl}/models`, { headers: { authorization: `Bearer ${made.key}` } })
  expect([refused.status, (await readError(refused)).code]).toEqual([403, 'key_paused'])
  expect((await anna.post(`/keys/${made.id}/rotate`, { graceMs: 0 })).status).toBe(409)
  await owner.post(`/admin/keys/${made.id}/suspend`)
  expect(await set('resume')).toBe('suspended')
  expect(await modelsWith(made.key)).toBe(403)
  expect(await set('pause')).toBe('suspended')
  await owner.post(`/admin/keys/${made.id}/resume`)
  expect(await modelsWith(made.key)).toBe(403)
  expect(await set('resume')).toBe('active')
  expect(await set('resume')).toBe('active')
  expect(await modelsWith(made.key)).toBe(200)
  const { data } = (await (await anna.get(`/keys/${made.id}/events`)).json()) as { data: { action: string }[] }
  expect(data.map(({ action }) => action)).toEqual([
    ...['key.unpaused', 'key.resumed', 'key.paused', 'key.unpaused', 'key.suspended', 'key.paused', 'key.created'],
  ])
  await anna.post(`/keys/${made.id}/revoke`, { name: 'paused' })
  expect((await anna.post(`/keys/${made.id}/pause`)).status).toBe(409)
})

test('the page of a key has its usage by hour and by day, and what the organisation allows', async () => {
  const made = (await (await anna.post('/keys', { name: 'seen', limits: { requestsPerMinute: 5 } })).json()) as Key
  const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] })
  const headers = { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' }
  await (await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })).text()
  const shown = (await (await anna.get(`/keys/${made.id}`)).json()) as KeyDetails
  const used = { requests: 1, promptTokens: expect.any(Number), completionTokens: expect.any(Number) }
  expect(shown).toMatchObject({ name: 'seen', uses: { requestsPerMinute: { used: 1, limit: 5 } }, hours: [used] })
  expect(shown.days).toEqual([{ day: shown.today, ...used }])
  expect((await owner.get(`/keys/${made.id}`)).status).toBe(404)
})
