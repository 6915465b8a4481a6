import { beforeAll, expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let makeKey: ReturnType<typeof createKeyMaker>
let manager: Awaited<ReturnType<typeof makeKey>>
beforeAll(async () => {
  helix = await openHelix()
  await claimServer(helix)
  makeKey = createKeyMaker(helix)
  manager = await makeKey({ name: 'manager', scopes: ['manage'] })
  return helix.close
})

type KeyJson = { id: string; key: string; name: string; state: string; last_four: string }
const json = async <Answer = KeyJson>(response: Promise<Response>): Promise<Answer> => {
  const answer = await response
  expect(answer.status).toBe(200)
  return (await answer.json()) as Answer
}
const statusWith = async (key: string): Promise<number> =>
  (await fetch(`${helix.baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } })).status

test('a program creates, reads, changes, rotates and revokes a key', async () => {
  const expires_at = Math.floor(Date.now() / 1000) + 3600
  const wanted = {
    name: 'made',
    scopes: ['models'],
    networks: ['127.0.0.0/8'],
    limits: { tokens_per_day: 5 },
    expires_at,
  }
  const { key, ...made } = await json(manager.call('POST', '/v1/keys', wanted))
  expect(made).toMatchObject({ object: 'api_key', ...wanted, state: 'active', limits: { tokens_per_day: 5 } })
  expect(await statusWith(key)).toBe(200)
  const one = `/v1/keys/${made.id}`
  const read = await json(manager.call('GET', one))
  expect(read).toEqual({ ...made, last_used_at: expect.any(Number) })

  const changes = { name: 'renamed', limits: { requests_per_minute: 9 }, expires_at: null }
  const changed = await json(manager.call('POST', one, changes))
  expect(changed).toMatchObject({ name: 'renamed', expires_at: null, networks: ['127.0.0.0/8'] })
  expect(changed).toMatchObject({ limits: { tokens_per_day: 5, requests_per_minute: 9 } })

  const fewer = await json(manager.call('POST', one, { scopes: ['chat'] }))
  expect(fewer).toMatchObject({ scopes: ['chat'] })
  expect(await statusWith(key)).toBe(403)
  await json(manager.call('POST', one, { scopes: ['chat', 'models'] }))
  expect(await statusWith(key)).toBe(200)

  const rotated = await json(manager.call('POST', `${one}/rotate`, { grace_seconds: 3600 }))
  expect(rotated).toMatchObject({ id: made.id, previous_secret_until: expect.any(Number) })
  expect([await statusWith(key), await statusWith(rotated.key)]).toEqual([200, 200])
  await json(manager.call('POST', `${one}/rotate`, { grace_seconds: 0 }))
  expect([await statusWith(key), await statusWith(rotated.key)]).toEqual([401, 401])

  const deleted = { object: 'api_key.deleted', id: made.id, deleted: true }
  expect(await json(manager.call('DELETE', one))).toEqual(deleted)
  expect(await json(manager.call('DELETE', one))).toEqual(deleted)
  expect(await json(manager.call('GET', one))).toMatchObject({ state: 'revoked' })
  const late = await manager.call('POST', `${one}/rotate`, {})
  expect(late.status).toBe(409)
  expect(await readError(late)).toMatchObject({ code: 'key_inactive' })
})

test('keys are listed in pages, without their secrets', async () => {
  const { key } = await json(manager.call('POST', '/v1/keys', { name: 'listed' }))
  type Page = { data: KeyJson[]; has_more: boolean; last_id: string }
  const first = await manager.call('GET', '/v1/keys?limit=1')
  const text = await first.text()
  const page = JSON.parse(text) as Page
  expect(page).toMatchObject({ object: 'list', has_more: true, data: [{ object: 'api_key' }] })
  const rest = await json<Page>(manager.call('GET', `/v1/keys?limit=100&after=${page.last_id}`))
  expect(rest.has_more).toBe(false)
  expect(rest.data.map(({ name }) => name)).toContain('listed')
  expect(JSON.stringify(rest)).not.toContain(key.slice(12, -4))
  const newest = await json<Page>(manager.call('GET', '/v1/keys?order=desc&limit=1'))
  expect(newest.data[0]?.name).toBe('listed')
  expect((await manager.call('GET', '/v1/keys?after=key_none')).status).toBe(400)
})

test.each([
  [{}, 'name', 'missing_required_parameter'],
  [{ name: '' }, 'name', 'invalid_value'],
  [{ name: 'x', scopes: ['everything'] }, 'scopes', 'invalid_value'],
  [{ name: 'x', networks: ['here'] }, 'networks', 'invalid_value'],
  [{ name: 'x', models: [] }, 'models', 'invalid_value'],
  [{ name: 'x', expires_at: 5 }, 'expires_at', 'invalid_value'],
  [{ name: 'x', limits: { tokens_per_day: 0 } }, 'limits.tokens_per_day', 'integer_below_min_value'],
  [{ name: 'x', limits: { tokens_per_year: 1 } }, 'limits.tokens_per_year', 'unknown_parameter'],
  [{ name: 'x', organisation_id: 'org_1' }, 'organisation_id', 'unknown_parameter'],
])('%j is refused with an error that names the field', async (body, param, code) => {
  const response = await manager.call('POST', '/v1/keys', body)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param, code })
})

test('a grace period of more than 30 days is refused', async () => {
  const response = await manager.call('POST', `/v1/keys/${manager.id}/rotate`, { grace_seconds: 2_592_001 })
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param: 'grace_seconds' })
})

test('a management key cannot create or change another, only itself', async () => {
  const other = await makeKey({ name: 'other manager', scopes: ['manage'] })
  for (const [method, path, body] of [
    ['POST', '/v1/keys', { name: 'x', scopes: ['manage'] }],
    ['POST', `/v1/keys/${other.id}`, { name: 'x' }],
    ['POST', `/v1/keys/${manager.id}`, { networks: null }],
    ['POST', `/v1/keys/${other.id}/rotate`, {}],
    ['DELETE', `/v1/keys/${other.id}`, undefined],
  ] as const) {
    const response = await manager.call(method, path, body)
    expect(response.status).toBe(403)
    expect(await readError(response)).toMatchObject({ code: 'management_key_protected' })
  }
  const rotated = await json(other.call('POST', `/v1/keys/${other.id}/rotate`, { grace_seconds: 60 }))
  await json(other.call('DELETE', `/v1/keys/${other.id}`))
  const headers = { authorization: `Bearer ${rotated.key}` }
  expect((await fetch(`${helix.baseUrl}/keys`, { headers })).status).toBe(401)
})

test('keys of another organisation are not found', async () => {
  const theirs = await signUp(helix.url, 'anna@example.com')
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '', { name: 'mine' }],
    ['POST', '/rotate', {}],
    ['DELETE', '', undefined],
  ] as const) {
    const response = await manager.call(method, `/v1/keys/${theirs.firstKey.id}${path}`, body)
    expect(response.status).toBe(404)
    expect(await readError(response)).toMatchObject({ code: 'not_found' })
  }
})
