import { beforeAll, expect, test } from 'vitest'
import { claimServer, joinAs, signUp, tokenOf } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
let anna: Awaited<ReturnType<typeof signUp>>
beforeAll(async () => {
  const config = { organisationRequestsPerMinute: 60, organisationTokensPerMinute: 40_000 }
  // What was used today is looked at: no midnight may come in between.
  helix = await openHelix({ clock: createManualClock(), config })
  owner = await claimServer(helix)
  anna = await signUp(helix.url, 'anna@example.com')
  return helix.close
})

type Use = { limit: number; used: number; resetsAt: number | null }
type Listed = { id: string; name: string; key: string; uses: Record<string, Use>; tokensOfDays: number[] } & Record<
  string,
  unknown
>
type Keys = { data: Listed[]; organisation: Listed; timeZone: string }
const keysOf = async (browser: Pick<typeof anna, 'get'>): Promise<Keys> =>
  (await (await browser.get('/keys')).json()) as Keys
const json = async <Answer = Listed>(response: Promise<Response>): Promise<Answer> => {
  const answer = await response
  expect(answer.ok).toBe(true)
  return (await answer.json()) as Answer
}
const chatWith = async (key: string) => {
  const response = await fetch(`${helix.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 4 }),
  })
  return { status: response.status, body: (await response.json()) as { usage: { total_tokens: number } } }
}

test('the keys page gets the limits and usage of every key and of the organisation', async () => {
  const limits = { requestsPerMinute: 3, tokensPerMonth: 9_000 }
  const rights = { scopes: ['chat'], models: [modelName], networks: ['127.0.0.0/8'] }
  const { key, id } = await json(anna.post('/keys', { name: 'busy', limits, ...rights }))
  const { body } = await chatWith(key)
  const tokens = body.usage.total_tokens
  const { data, organisation, timeZone } = await keysOf(anna)
  const busy = data.find((each) => each.id === id)
  expect(busy).toMatchObject({ ...rights, limits, tokensToday: tokens, tokensThisMonth: tokens })
  expect(busy?.lastUsedAt).toBeGreaterThan(0)
  expect(busy?.tokensOfDays).toEqual([...new Array(13).fill(0), tokens])
  expect(busy?.uses).toEqual({
    requestsPerMinute: { limit: 3, used: 1, resetsAt: expect.any(Number) },
    tokensPerMonth: { limit: 9_000, used: tokens, resetsAt: expect.any(Number) },
  })
  expect(organisation).toMatchObject({ tokensToday: tokens, uses: { requestsPerMinute: { limit: 60, used: 1 } } })
  expect(timeZone).toBe('UTC')
})

test('a rotated key shows how long the old secret works, and both work', async () => {
  const { key, id } = await json(anna.post('/keys', { name: 'turning' }))
  const rotated = await json(anna.post(`/keys/${id}/rotate`, { graceMs: 3_600_000 }))
  expect(rotated).toMatchObject({ id, previousUntil: expect.any(Number), lastFour: rotated.key.slice(-4) })
  expect([(await chatWith(key)).status, (await chatWith(rotated.key)).status]).toEqual([200, 200])
  await json(anna.post(`/keys/${id}/rotate`, { graceMs: 0 }))
  expect((await chatWith(rotated.key)).status).toBe(401)
  await anna.post(`/keys/${id}/revoke`, { name: 'turning' })
  const late = await anna.post(`/keys/${id}/rotate`, { graceMs: 0 })
  expect(late.status).toBe(409)
  expect(await readError(late)).toMatchObject({ code: 'key_inactive' })
})

test('changing a key leaves omitted fields as they are', async () => {
  const { id } = await json(anna.post('/keys', { name: 'old', limits: { tokensPerDay: 5 } }))
  const changed = await json(anna.post(`/keys/${id}`, { name: 'new', limits: { requestsPerMinute: 2 } }))
  expect(changed).toMatchObject({ name: 'new', limits: { tokensPerDay: 5, requestsPerMinute: 2 } })
  for (const [body, param] of [
    [{ networks: ['nowhere'] }, 'networks'],
    [{ limits: { tokensPerDay: 0 } }, 'limits.tokensPerDay'],
    [{ scopes: ['manage'] }, 'scopes'],
  ] as const) {
    const refused = await anna.post(`/keys/${id}`, body)
    expect(refused.status).toBe(400)
    expect(await readError(refused)).toMatchObject({ param })
  }
})

test('a member creates and changes their own keys, but cannot raise limits or create management keys', async () => {
  const { url } = await json<{ url: string }>(anna.post('/organisation/invitations', { role: 'member', send: 'link' }))
  const ben = await signUp(helix.url, 'ben@example.com', { join: tokenOf(url) })
  const own = await json(ben.post('/keys', { name: "ben's", limits: { requestsPerMinute: 5 } }))
  await json(ben.post(`/keys/${own.id}`, { name: 'still his' }))
  const managing = await json(anna.post('/keys', { name: 'manages', scopes: ['manage'] }))
  for (const [path, body] of [
    [`/keys/${own.id}`, { limits: { requestsPerMinute: null } }],
    ['/keys', { name: 'x', scopes: ['manage'] }],
    [`/keys/${managing.id}/rotate`, { graceMs: 0 }],
    [`/keys/${anna.firstKey.id}`, { name: 'his now' }],
  ] as const) {
    const refused = await ben.post(path, body)
    expect(refused.status, path).toBe(403)
    expect(await readError(refused)).toMatchObject({ code: 'role_too_low' })
  }
  await json(anna.post(`/keys/${own.id}`, { limits: { requestsPerMinute: null } }))
})

test('of concurrent changes to the limits of a key exactly one succeeds, and the others get an error', async () => {
  const cara = await joinAs(helix.url, anna, 'admin', 'cara@example.com')
  const { id, limits } = await json(anna.post('/keys', { name: 'contended', limits: { tokensPerDay: 5 } }))
  const tries = await Promise.all(
    [anna, cara, anna, cara].map((admin, n) =>
      admin.post(`/keys/${id}`, { limits: { requestsPerMinute: 1 + n }, was: { limits } }),
    ),
  )
  const winner = tries.findIndex(({ ok }) => ok)
  const refused = tries.filter((_, n) => n !== winner)
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409])
  for (const refusal of refused) expect(await readError(refusal)).toMatchObject({ code: 'limits_changed' })
  const now = { ...(limits as object), requestsPerMinute: 1 + winner }
  expect((await keysOf(cara)).data.find((key) => key.id === id)).toMatchObject({ limits: now })

  await json(cara.post(`/keys/${id}`, { limits: { tokensPerDay: 6 }, was: { limits: now } }))
  // A program that says nothing of what it saw changes what it names.
  const named = [{ requestsPerMinute: 7 }, { tokensPerMinute: 8 }, { tokensPerMonth: 9 }]
  await Promise.all(named.map((some) => json(anna.post(`/keys/${id}`, { limits: some }))))
  expect((await keysOf(anna)).data.find((key) => key.id === id)).toMatchObject({
    limits: { requestsPerMinute: 7, tokensPerMinute: 8, tokensPerDay: 6, tokensPerMonth: 9 },
  })
})

test('the same for the limits of an organisation, and the audit records those that succeeded', async () => {
  const id = (await owner.load()).organisation?.id
  const set = (body: object) => owner.post(`/admin/organisations/${id}/limits`, body)
  const { limits: was } = await json(set({ tokensPerDay: 100_000 }))
  const tries = await Promise.all([1, 2, 3, 4].map((n) => set({ tokensPerDay: n * 1_000_000, was })))
  const winner = tries.findIndex(({ ok }) => ok)
  expect(tries.filter(({ status }) => status === 409)).toHaveLength(3)
  const named = [{ tokensPerMinute: 8_000 }, { tokensPerMonth: 9_000_000 }]
  await Promise.all(named.map((some) => json(set(some))))
  type Told = { data: { details: object }[] }
  const { data } = await json<Told>(owner.get('/audit?action=organisation.limits_changed'))
  expect(data.map(({ details }) => details)).toEqual(
    expect.arrayContaining([{ tokensPerDay: 100_000 }, { tokensPerDay: (winner + 1) * 1_000_000 }, ...named]),
  )
  expect(data).toHaveLength(4)
})

test('the owner of the server sees and changes the limits of every organisation, with immediate effect', async () => {
  const { organisation } = await anna.load()
  const id = organisation?.id ?? ''
  const listed = await json<{ data: Listed[] }>(owner.get('/admin/limits'))
  expect(listed.data.find((each) => each.id === id)).toMatchObject({
    limits: { requestsPerMinute: null },
    defaults: { requestsPerMinute: 60, tokensPerDay: null },
    uses: { requestsPerMinute: { limit: 60 } },
    tokensThisMonth: expect.any(Number),
  })
  const set = (limits: Record<string, unknown>) => owner.post(`/admin/organisations/${id}/limits`, limits)
  expect(await json(set({ requestsPerMinute: 1, tokensPerMinute: 0 }))).toMatchObject({
    limits: { requestsPerMinute: 1, tokensPerMinute: 0 },
  })
  const { uses } = (await keysOf(anna)).organisation
  expect(Object.keys(uses)).toEqual(['requestsPerMinute'])
  expect((await chatWith(anna.firstKey.key)).status).toBe(429)
  await json(set({ requestsPerMinute: null, tokensPerMinute: null }))
  expect((await chatWith(anna.firstKey.key)).status).toBe(200)

  const wrong = await set({ requestsPerMinute: 1.5 })
  expect(await readError(wrong)).toMatchObject({ param: 'requestsPerMinute' })
  const nowhere = await owner.post('/admin/organisations/org_none/limits', { requestsPerMinute: 1 })
  expect(nowhere.status).toBe(404)
  expect(await readError(nowhere)).toMatchObject({ code: 'not_found' })
})
