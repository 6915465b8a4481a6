import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { claimServer, goodPassword, joinAs, signUp } from '../harness/browser-session.ts'
import { dataFilesContain } from '../harness/data-files-contain.ts'
import { liveEvents } from '../harness/live-events.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
let viewer: Awaited<ReturnType<typeof signUp>>
let anna: Awaited<ReturnType<typeof signUp>>
/** Answers to "wait" stop in the middle until the test lets them go on. */
let gate = Promise.withResolvers<void>()

beforeAll(async () => {
  helix = await openHelix({
    async *answer(messages) {
      const asked = JSON.stringify(messages)
      if (asked.includes('break')) throw new Error('out of order')
      yield 'Hello'
      if (asked.includes('wait')) yield { pause: gate.promise }
      yield '!'
    },
  })
  owner = await claimServer(helix)
  viewer = await joinAs(helix.url, owner, 'viewer', 'viewer@example.com')
  anna = await signUp(helix.url, 'anna@example.com')
  return helix.close
})

type Shown = { id: string; keyId: string | null; outcome: string; error: { name: string; status: number } | null }
type Listed = { data: Shown[]; next: string | null; live: string }
type Browser = typeof viewer

const list = async (query = '', browser: Browser = viewer): Promise<Listed> => {
  const response = await browser.get(`/requests${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Listed
}
const body = (content: string) => ({ model: modelName, messages: [{ role: 'user', content }] })
const start = (content: string, key: string, more: object = {}, init: RequestInit = {}) =>
  fetch(`${helix.baseUrl}/chat/completions`, {
    ...init,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    body: JSON.stringify({ ...body(content), ...more }),
  })
/** By the id that the answer names. */
const ask = async (content: string, key = owner.firstKey.key): Promise<string> => {
  const response = await start(content, key)
  await response.text()
  return response.headers.get('x-request-id') ?? ''
}

type Told = { type: string; data?: Shown[] }
const follow = async (after?: string, browser: Browser = viewer, headers: Record<string, string> = {}) => {
  const response = await browser.get(`/requests/events${after === undefined ? '' : `?after=${after}`}`, headers)
  expect(response.status).toBe(200)
  const events = liveEvents(response)
  let id = after ?? ''
  /** The next event of this kind, with how far that is. */
  const next = async (type = 'requests'): Promise<(Told & { id: string }) | null> => {
    for (;;) {
      const event = await events.next()
      if (event === null || event.data === '[DONE]') return null
      id = event.id ?? id
      const told = JSON.parse(event.data) as Told
      if (told.type === type || told.type === 'reset') return { ...told, id }
    }
  }
  return { next, id: () => id, leave: events.leave }
}

test('all requests of the organisation are listed, newest first, as in the ledger', async () => {
  const [first, second] = [await ask('Hi'), await ask('break')]
  const { data, next } = await list()
  expect(next).toBeNull()
  expect(data.map(({ id }) => id)).toEqual([second, first])
  expect(data[1]).toEqual({
    id: first,
    keyId: owner.firstKey.id,
    model: modelName,
    endpoint: 'chat.completions',
    stream: false,
    reservedTokens: expect.any(Number),
    limits: { requests: null, tokens: null },
    ignoredFields: null,
    cachedFrom: null,
    hooks: [],
    startedAt: expect.any(Number),
    outcome: 'completed',
    error: null,
    refusedBy: null,
    leftOut: 0,
    finishReason: 'stop',
    promptTokens: expect.any(Number),
    cachedTokens: expect.any(Number),
    completionTokens: 2,
    reasoningTokens: 0,
    costMicros: null,
    estimated: false,
    upstreams: null,
    pauses: null,
    queueMs: expect.any(Number),
    firstTokenMs: expect.any(Number),
    tokensPerSecond: null,
    durationMs: expect.any(Number),
    endedAt: expect.any(Number),
  })
  expect(data[0]).toMatchObject({ outcome: 'failed', error: { name: 'internal_error', status: 500 } })
  expect(JSON.stringify(data)).not.toContain('break')
})

test('requests are filtered and listed in pages', async () => {
  await (await owner.post('/playground/chat/completions', body('Hi'))).text()
  expect((await list('?outcome=failed')).data).toMatchObject([{ outcome: 'failed' }])
  expect((await list('?error=internal_error')).data).toHaveLength(1)
  expect((await list('?key=playground')).data).toMatchObject([{ keyId: null, endpoint: 'playground' }])
  expect((await list(`?key=${owner.firstKey.id}`)).data).toHaveLength(2)
  expect((await list('?model=another')).data).toEqual([])
  expect((await list('?endpoint=playground')).data).toMatchObject([{ endpoint: 'playground' }])
  expect((await list('?endpoint=chat.completions')).data).toHaveLength(2)
  expect((await list('?endpoint=messages')).data).toEqual([])
  expect((await list(`?since=${Date.now() + 60_000}`)).data).toEqual([])
  expect((await list(`?until=${Date.now() - 60_000_000}`)).data).toEqual([])
  expect((await list(`?until=${Date.now() + 60_000}&outcome=failed`)).data).toHaveLength(1)
  const whole = (await list()).data.map(({ id }) => id)
  const paged: string[] = []
  for (let before: string | null = ''; before !== null; ) {
    const page: Listed = await list(`?limit=1${before === '' ? '' : `&before=${before}`}`)
    paged.push(...page.data.map(({ id }) => id))
    before = page.next
  }
  expect(paged).toEqual(whole)
})

test('a request is found by part of its id or by its error, and the times of those found are summed up', async () => {
  const id = await ask('Hi')
  expect((await list(`?text=${id}`)).data).toMatchObject([{ id }])
  expect((await list(`?text=${id.slice(-12)}`)).data).toMatchObject([{ id }])
  for (const text of ['internal_error', '500'])
    expect((await list(`?text=${text}`)).data).toMatchObject([{ outcome: 'failed' }])
  expect((await list('?text=nonsense')).data).toEqual([])
  const times = async (query: string) => (await viewer.get(`/requests/times?${query}`)).json()
  expect(await times(`text=${id}`)).toMatchObject({
    counted: 1,
    isComplete: true,
    durationMs: { p50: expect.any(Number) },
  })
  expect(await times('endpoint=playground')).toMatchObject({ counted: 1 })
  expect(await times('outcome=failed')).toMatchObject({ counted: 1, firstTokenMs: null })
  expect(await times('outcome=refused')).toEqual({
    ...{ counted: 0, isComplete: true, firstTokenMs: null, durationMs: null },
  })
})

test.each([
  ['outcome=odd', 'outcome'],
  ['endpoint=/v1/messages', 'endpoint'],
  ['limit=0', 'limit'],
  ['since=today', 'since'],
  ['organisation=org_1', 'organisation'],
  ['before=req_1', 'before'],
])('%s is refused', async (query, param) => {
  const response = await viewer.get(`/requests?${query}`)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param })
})

test('a request is shown, and one of another organisation is not found', async () => {
  const [ours, theirs] = [await ask('Hi'), await ask('Hi', anna.firstKey.key)]
  expect(await (await viewer.get(`/requests/${ours}`)).json()).toMatchObject({ id: ours, outcome: 'completed' })
  for (const id of [theirs, 'req_unknown']) {
    const response = await viewer.get(`/requests/${id}`)
    expect(response.status).toBe(404)
    expect(await readError(response)).toMatchObject({ code: 'not_found' })
  }
  expect((await list()).data.map(({ id }) => id)).not.toContain(theirs)
  expect((await list('', anna)).data.map(({ id }) => id)).toEqual([theirs])
})

test('a follower gets the start, progress and end of requests of its own organisation only', async () => {
  const { live } = await list()
  const { next, leave } = await follow(live)
  await ask('Hi', anna.firstKey.key)
  gate = Promise.withResolvers()
  const answer = await start('wait', owner.firstKey.key, { stream: true })
  const id = answer.headers.get('x-request-id')
  expect(await next()).toMatchObject({ type: 'requests', data: [{ id, outcome: 'running', durationMs: null }] })
  // Those of others are no part of it.
  let progress = await next('progress')
  // It may have been too early for the first token.
  if (isDeepStrictEqual(progress?.data, [{ id, completionTokens: 0, afterMs: 0 }])) progress = await next('progress')
  expect(progress?.data).toEqual([{ id, completionTokens: 1, afterMs: expect.any(Number) }])
  gate.resolve()
  await answer.text()
  expect(await next()).toMatchObject({ type: 'requests', data: [{ id, outcome: 'completed', completionTokens: 2 }] })
  await leave()
})

test('a follower that reconnects with the last id gets what it missed, without gaps or duplicates', async () => {
  const first = await follow((await list()).live)
  gate = Promise.withResolvers()
  const answer = await start('wait', owner.firstKey.key, { stream: true })
  const running = answer.headers.get('x-request-id')
  const before = await first.next()
  expect(before?.data).toMatchObject([{ id: running, outcome: 'running' }])
  await first.leave()
  // Asleep: one that ran ends, another begins and ends.
  gate.resolve()
  await answer.text()
  const missed = await ask('Hi')
  const second = await follow(undefined, viewer, { 'last-event-id': first.id() })
  const told = await second.next()
  expect(told?.data?.map(({ id, outcome }) => [id, outcome])).toEqual([
    [running, 'completed'],
    [missed, 'completed'],
  ])
  await second.leave()
  const third = await follow(undefined, viewer, { 'last-event-id': second.id() })
  const later = await ask('break')
  const heard = new Map<string, string>()
  while (heard.get(later) !== 'failed')
    for (const { id, outcome } of (await third.next())?.data ?? []) heard.set(id, outcome)
  expect([...heard.keys()]).toEqual([later])
  await third.leave()
})

test('a refused request is recorded and shown with the limit that refused it, and is not counted', async () => {
  const made = await owner.post('/keys', { name: 'narrow', expiresAt: null, limits: { requestsPerMinute: 1 } })
  const narrow = (await made.json()) as { id: string; key: string }
  const used = await (await viewer.get('/usage')).json()
  const { next, leave } = await follow((await list()).live)
  const unknown = (await start('xyzzy', narrow.key, { model: 'xyzzy' })).headers.get('x-request-id') ?? ''
  const admitted = await ask('Hi', narrow.key)
  const limited = await ask('xyzzy', narrow.key)
  const retried = await start('xyzzy', narrow.key, {}, { headers: { 'idempotency-key': 'once' } })
  const keyed = retried.headers.get('x-request-id') ?? ''
  const heard = new Map<string, string>()
  while (![limited, unknown, keyed].every((id) => heard.has(id)))
    for (const { id, outcome } of (await next())?.data ?? []) heard.set(id, outcome)
  await leave()
  expect([limited, unknown, keyed].map((id) => heard.get(id))).toEqual(['refused', 'refused', 'refused'])
  expect(await (await viewer.get(`/requests/${limited}`)).json()).toMatchObject({
    id: limited,
    keyId: narrow.id,
    model: modelName,
    outcome: 'refused',
    error: { name: 'rate_limit_requests', status: 429, code: 'rate_limit_exceeded' },
    refusedBy: { name: 'requestsPerMinute', scope: 'key', limit: 1, used: 1, requested: 1, waitMs: expect.any(Number) },
    promptTokens: null,
  })
  expect(await (await viewer.get(`/requests/${admitted}`)).json()).toMatchObject({
    limits: { requests: { scope: 'key', limit: 1, remaining: 0 }, tokens: null },
  })
  const { data } = await list(`?key=${narrow.id}`)
  expect(data.map(({ id }) => id)).toEqual([keyed, limited, admitted, unknown])
  expect((await list('?outcome=refused&error=model_not_found')).data.map(({ id }) => id)).toEqual([unknown])
  expect(JSON.stringify(data)).not.toContain('xyzzy')
  expect((await anna.get(`/requests/${limited}`)).status).toBe(404)
  const counted = (json: unknown) => (json as { total: { requests: number } }).total.requests
  expect(counted(await (await viewer.get('/usage')).json())).toBe(counted(used) + 1)
})

test('refusals of the playground are listed too, and requests that failed after admission are listed once', async () => {
  const refused = await owner.post('/playground/chat/completions', { model: modelName, messages: 'none' })
  const id = refused.headers.get('x-request-id') ?? ''
  const failed = await ask('break')
  await refused.text()
  const { next, leave } = await follow(undefined, viewer, { 'last-event-id': '0-0-' })
  const told: string[] = []
  while (!told.includes(id)) for (const row of (await next())?.data ?? []) told.push(row.id)
  await leave()
  expect((await list('?key=playground&outcome=refused')).data).toMatchObject([
    { id, keyId: null, endpoint: 'playground', error: { status: 400 } },
  ])
  expect((await list()).data.filter((row) => row.id === failed)).toHaveLength(1)
})

type Kept = { text: string; isCut: boolean }
type Bodies = { days: number | null; request: Kept | null; answer: Kept | null }
/** As soon as they were written. */
const bodiesOf = async (id: string, browser: Browser = anna): Promise<Bodies> => {
  for (;;) {
    const bodies = (await (await browser.get(`/requests/${id}/bodies`)).json()) as Bodies
    if (bodies.request !== null) return bodies
  }
}
const diskHolds = (word: string): boolean => dataFilesContain(helix.dataDir, word)

test('bodies are stored only while the organisation has that switched on, and then deleted', async () => {
  const { key } = anna.firstKey
  const before = await ask('plugh', key)
  expect(await (await anna.get('/organisation/bodies')).json()).toEqual({ days: null })
  expect((await anna.post('/organisation/bodies', { days: 7 })).status).toBe(204)
  const asked = await ask('plugh', key)
  const kept = await bodiesOf(asked)
  expect(kept).toMatchObject({ days: 7, request: { isCut: false }, answer: { isCut: false } })
  expect(JSON.parse(kept.request?.text ?? '')).toEqual(body('plugh'))
  expect(JSON.parse(kept.answer?.text ?? '')).toMatchObject([
    { index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' },
  ])
  expect(diskHolds('plugh')).toBe(true)
  expect(await (await anna.get(`/requests/${before}/bodies`)).json()).toEqual({ days: 7, request: null, answer: null })
  // Another organisation keeps none, and sees none.
  const ours = await ask('plover')
  expect((await owner.get(`/requests/${asked}/bodies`)).status).toBe(404)
  expect(await (await owner.get(`/requests/${ours}/bodies`)).json()).toEqual({
    days: null,
    request: null,
    answer: null,
  })
  expect((await anna.post('/organisation/bodies', { days: null })).status).toBe(204)
  expect(diskHolds('plugh')).toBe(false)
  expect(diskHolds('plover')).toBe(false)
  const { data } = (await (await anna.get('/audit')).json()) as { data: { action: string; details: object }[] }
  expect(data.slice(0, 2)).toMatchObject([
    { action: 'organisation.bodies_dropped', details: {} },
    { action: 'organisation.bodies_kept', details: { days: 7 } },
  ])
})

test('of an aborted answer the part that was sent is stored, and of a long text its beginning', async () => {
  expect((await anna.post('/organisation/bodies', { days: 1 })).status).toBe(204)
  gate = Promise.withResolvers()
  const leaving = new AbortController()
  const answer = await start('wait', anna.firstKey.key, { stream: true }, { signal: leaving.signal })
  const reader = answer.body?.getReader()
  for (let told = ''; !told.includes('Hello'); ) told += new TextDecoder().decode((await reader?.read())?.value)
  leaving.abort()
  const broken = await bodiesOf(answer.headers.get('x-request-id') ?? '')
  expect(JSON.parse(broken.answer?.text ?? '')).toMatchObject([{ message: { content: 'Hello' }, finish_reason: null }])
  const long = await start('Hi', anna.firstKey.key, { user: '€'.repeat(100_000) })
  await long.text()
  const cut = await bodiesOf(long.headers.get('x-request-id') ?? '')
  expect(cut.request?.isCut).toBe(true)
  expect(Buffer.byteLength(cut.request?.text ?? '')).toBeLessThanOrEqual(262_144)
  expect(cut.request?.text.endsWith('€')).toBe(true)
  expect((await anna.post('/organisation/bodies', { days: null })).status).toBe(204)
})

test('deleting an account deletes the bodies and refused requests of its own organisation', async () => {
  const carl = await signUp(helix.url, 'carl@example.com')
  expect((await carl.post('/organisation/bodies', { days: 30 })).status).toBe(204)
  const kept = await ask('frotz', carl.firstKey.key)
  const refused = (await start('Hi', carl.firstKey.key, { model: 'none' })).headers.get('x-request-id') ?? ''
  await bodiesOf(kept, carl)
  while (!diskHolds(refused)) await carl.get('/requests')
  expect(diskHolds('frotz')).toBe(true)
  expect((await carl.post('/account/delete', { password: goodPassword })).status).toBeLessThan(300)
  // The log of writes is emptied before the next question is answered.
  await list()
  expect([diskHolds('frotz'), diskHolds(refused)]).toEqual([false, false])
})

test.each([{ days: 2 }, { days: 0 }, { days: '7' }, {}])('%j is not a retention of bodies', async (sent) => {
  const response = await owner.post('/organisation/bodies', sent)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param: 'days' })
})

test('an unknown id restarts the stream, which says so', async () => {
  const { next, leave } = await follow(undefined, viewer, { 'last-event-id': 'what?' })
  expect(await next()).toMatchObject({ type: 'reset' })
  await leave()
})

test('the stream ends with the session', async () => {
  const guest = await joinAs(helix.url, owner, 'viewer', 'guest@example.com')
  const { next } = await follow((await list()).live, guest)
  expect((await guest.post('/sign-out')).status).toBeLessThan(300)
  await ask('Hi')
  expect(await next()).toBeNull()
  expect((await guest.get('/requests/events')).status).toBe(401)
})

test('a request is listed with its unknown fields, those of several messages once', async () => {
  const said = { role: 'user', content: 'Hi', cache_breakpoint: true }
  const sent = { messages: [said, { role: 'assistant', content: 'Yes?' }, said], mood: 'good', 'Dear Ann, hi': 1 }
  const response = await start('', owner.firstKey.key, sent)
  await response.text()
  const id = response.headers.get('x-request-id') ?? ''
  const shown = (await (await viewer.get(`/requests/${id}`)).json()) as { ignoredFields: unknown }
  expect(shown.ignoredFields).toEqual({ names: ['mood', '…', 'messages[].cache_breakpoint'], more: 0 })
  const logged = await helix.logged({ event: 'request', requestId: id })
  expect(logged).toMatchObject({ ignoredFields: 4 })
  expect(JSON.stringify(logged)).not.toContain('mood')
})

test('a request is listed with what hooks did, and with the request whose answer it got', async () => {
  const numbers = { name: 'numbers', url: null, secrets: [], patterns: ['[0-9]{4}'], action: 'redact' } as const
  const hooks = [{ ...numbers, phases: ['before'], onFailure: 'block' }] as const
  const own = await startHelix({ config: { hooks, cacheModels: [modelName] } })
  const member = await claimServer(own)
  const asked = { temperature: 0, messages: [{ role: 'user', content: 'Pins 1234 and 5678' }] }
  const shown = new Map<string | null, Shown & { hooks: object[]; cachedFrom: string | null }>()
  // Answers are stored just after they were sent.
  while (!shown.has('hit')) {
    const response = await own.chat(asked)
    await response.text()
    const path = `/requests/${response.headers.get('x-request-id')}`
    const request = (await (await member.get(path)).json()) as Shown & { hooks: object[]; cachedFrom: string | null }
    shown.set(response.headers.get('x-helix-cache'), request)
  }
  const did = [{ hook: 'numbers', action: 'redacted', count: 2 }]
  expect(shown.get('miss')).toMatchObject({ hooks: did, cachedFrom: null })
  expect(shown.get('hit')).toMatchObject({ hooks: did, cachedFrom: expect.stringMatching(/^req_/) })
})

test('shutdown does not wait for followers, and writes what is pending', async () => {
  const { next } = await follow((await list()).live)
  const refused = (await start('Hi', owner.firstKey.key, { model: 'none' })).headers.get('x-request-id') ?? ''
  await helix.server.close()
  expect(await next()).toBeNull()
  // What was refused a moment ago was still written.
  expect(diskHolds(refused)).toBe(true)
})
