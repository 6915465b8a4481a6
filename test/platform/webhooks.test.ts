import { setImmediate } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { retryDelaysMs } from '../../src/webhooks/next-attempt.ts'
import { type BrowserSession, claimServer, joinAs, openBrowser, signUp } from '../harness/browser-session.ts'
import { dataFilesContain } from '../harness/data-files-contain.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { severalModels } from '../harness/several-models.ts'
import { type HelixOptions, modelName, startHelix } from '../harness/start-helix.ts'
import { type ReceivedHook, startReceiver } from '../harness/webhook-receiver.ts'

type Endpoint = { id: string; isEnabled: boolean; previousUntil: number | null }
type Delivery = {
  id: string
  eventId: string
  type: string
  state: string
  status: number | null
  error: string | null
}
type Listed = Delivery & { attempts: number; dueAt: number | null }

const webhookNetworks = ['127.0.0.0/8']
const start = async (options: HelixOptions = {}) => {
  const clock = createManualClock(Date.UTC(2001, 10, 15, 12))
  const helix = await startHelix({ clock, ...options, config: { webhookNetworks, ...options.config } })
  const owner = await claimServer(helix)
  return { clock, helix, owner, ...using(clock, owner) }
}

const using = (clock: ReturnType<typeof createManualClock>, person: BrowserSession, prefix = '/webhooks') => {
  const json = async (response: Response) => {
    expect(response.status).toBeLessThan(300)
    return response.json()
  }
  const add = async (url: string | null, ...events: string[]): Promise<{ endpoint: Endpoint; secret: string }> =>
    (await json(await person.post(prefix, { url, events }))) as { endpoint: Endpoint; secret: string }
  const log = async (id: string): Promise<Listed[]> =>
    ((await json(await person.get(`${prefix}/${id}/deliveries`))) as { data: Listed[] }).data
  /** The newest delivery once nothing sends it. Time does not pass meanwhile. */
  const attempted = async (id: string, attempts: number): Promise<Listed> => {
    for (;;) {
      const [newest] = await log(id)
      if (newest !== undefined && newest.state !== 'sending' && newest.attempts >= attempts) return newest
      if (newest?.state !== 'sending') clock.advance(Math.max(0, (newest?.dueAt ?? 0) - clock.now()) + 1000)
      await setImmediate()
    }
  }
  /** Lets time pass, in small steps, until something has arrived and was recorded; not while something is being sent. */
  const arrives = async (receiver: { hooks: ReceivedHook[] }, id: string, count = 1) => {
    for (;;) {
      const isSending = (await log(id))[0]?.state === 'sending'
      if (receiver.hooks.length >= count && !isSending) return JSON.parse(receiver.hooks[count - 1]?.body ?? '')
      if (!isSending) clock.advance(2_000)
    }
  }
  return { add, log, attempted, arrives, json }
}

const headerOf = ({ headers }: ReceivedHook, name: string): string => String(headers[name])
/** With the specification's own library. */
const signatureOf = (secret: string, hook: ReceivedHook): string =>
  new Webhook(secret).sign(
    headerOf(hook, 'webhook-id'),
    new Date(Number(headerOf(hook, 'webhook-timestamp')) * 1000),
    hook.body,
  )

test('a test event is signed, and the secret is shown once and stored nowhere', async () => {
  const { clock, helix, owner, add, attempted } = await start()
  const receiver = await startReceiver()
  const { endpoint, secret } = await add(receiver.url, 'budget.reached')
  const sent = (await (await owner.post(`/webhooks/${endpoint.id}/test`)).json()) as Delivery
  const hook = await receiver.hook()
  expect(headerOf(hook, 'webhook-id')).toBe(sent.eventId)
  expect(headerOf(hook, 'webhook-timestamp')).toBe(String(clock.now() / 1000))
  expect(headerOf(hook, 'webhook-signature')).toBe(signatureOf(secret, hook))
  expect(JSON.parse(hook.body)).toMatchObject({ type: 'test', timestamp: new Date(clock.now()).toISOString() })
  expect(await attempted(endpoint.id, 1)).toMatchObject({ id: sent.id, state: 'delivered', status: 204, error: null })
  const shown = JSON.stringify(await (await owner.get('/webhooks')).json())
  expect(shown).toContain(receiver.url)
  for (const part of [secret, secret.slice(6)]) {
    expect(shown).not.toContain(part)
    expect(helix.logLines.join('')).not.toContain(part)
    expect(dataFilesContain(helix.dataDir, part)).toBe(false)
  }
})

test('a budget at 50, 80 and 100 per cent and a key that expires soon are told once each', async () => {
  const { clock, helix, owner, add, arrives } = await start()
  const receiver = await startReceiver()
  const { endpoint } = await add(receiver.url, 'budget.reached', 'key.expiring')
  const expiresAt = clock.now() + 8 * 86_400_000
  const { key, id } = (await (await owner.post('/keys', { name: 'narrow', limits: { tokensPerDay: 40 } })).json()) as {
    key: string
    id: string
  }
  await owner.post('/keys', { name: 'soon', expiresAt })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: modelName, max_tokens: 4, messages: [{ role: 'user', content: 'Hi' }] })
  const ask = async () => (await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })).status
  while ((await ask()) === 200);
  const { type, data } = await arrives(receiver, endpoint.id)
  expect({ type, data }).toMatchObject({
    type: 'budget.reached',
    data: { key_id: id, key_name: 'narrow', limit: 'tokens_per_day', max: 40, resets_at: '2001-11-16T00:00:00.000Z' },
  })
  expect([50, 80, 100]).toContain(data.percent)
  expect(data.used).toBeGreaterThanOrEqual((data.percent * 40) / 100)
  // A day later the key is in its last week, and nobody was told of the same budget again.
  clock.advance(86_400_000)
  expect(await arrives(receiver, endpoint.id, 2)).toMatchObject({
    type: 'key.expiring',
    data: { key_name: 'soon', days: 7, expires_at: new Date(expiresAt).toISOString() },
  })
})

test('an endpoint that fails is retried with the same id and body until it accepts', async () => {
  const { owner, add, attempted, log } = await start()
  const receiver = await startReceiver((response, _hook, count) => response.writeHead(count < 3 ? 500 : 200).end('x'))
  const { endpoint } = await add(receiver.url, 'budget.reached')
  await owner.post(`/webhooks/${endpoint.id}/test`)
  expect(await attempted(endpoint.id, 1)).toMatchObject({ state: 'pending', status: 500, error: 'status', attempts: 1 })
  expect(await attempted(endpoint.id, 3)).toMatchObject({ state: 'delivered', status: 200, attempts: 3 })
  const seen = receiver.hooks.map((hook) => [hook.headers['webhook-id'], hook.body].join())
  expect(new Set(seen).size).toBe(1)
  // Somebody repeats it: the same event again.
  const [{ id, eventId } = { id: '', eventId: '' }] = await log(endpoint.id)
  expect((await owner.post(`/webhooks/${endpoint.id}/deliveries/${id}/replay`)).status).toBe(200)
  expect(headerOf(await receiver.hook(4), 'webhook-id')).toBe(eventId)
})

test('it is given up after the last attempt', async () => {
  const { owner, add, attempted } = await start()
  const receiver = await startReceiver((response) => response.writeHead(503).end())
  const { endpoint } = await add(receiver.url, 'budget.reached')
  await owner.post(`/webhooks/${endpoint.id}/test`)
  const attempts = retryDelaysMs.length + 1
  expect(await attempted(endpoint.id, attempts)).toMatchObject({ state: 'failed', attempts, dueAt: null, status: 503 })
})

test('redirects are not followed, silence ends, long answers are cut, and 410 turns the endpoint off', async () => {
  const { clock, owner, add, attempted } = await start()
  const elsewhere = await startReceiver()
  const receiver = await startReceiver((response, { path }) => {
    if (path.endsWith('/redirect')) response.writeHead(302, { location: elsewhere.url }).end()
    else if (path.endsWith('/long')) response.writeHead(200).write('x'.repeat(100_000))
    else if (path.endsWith('/gone')) response.writeHead(410).end()
  })
  const post = async (path: string) => {
    const { endpoint } = await add(`${receiver.url}/${path}`, 'budget.reached')
    await owner.post(`/webhooks/${endpoint.id}/test`)
    return endpoint.id
  }
  expect(await attempted(await post('redirect'), 1)).toMatchObject({ state: 'pending', error: 'redirect', status: 302 })
  expect(elsewhere.hooks).toEqual([])
  expect(await attempted(await post('long'), 1)).toMatchObject({ state: 'delivered', status: 200 })
  const gone = await post('gone')
  expect(await attempted(gone, 1)).toMatchObject({ state: 'failed', error: 'gone' })
  await expect
    .poll(async () => ((await (await owner.get('/webhooks')).json()) as { data: Endpoint[] }).data)
    .toContainEqual(expect.objectContaining({ id: gone, isEnabled: false }))
  expect(await readError(await owner.post(`/webhooks/${gone}/test`))).toMatchObject({ code: 'webhook_disabled' })
  const silent = await post('silent')
  await receiver.hook(4)
  clock.advance(15_000)
  expect(await attempted(silent, 1)).toMatchObject({ state: 'pending', error: 'timeout', status: null })
})

test('without open networks, neither plain HTTP nor an address inside can be set, and a name is checked when it is used', async () => {
  const { owner, add, attempted } = await start({ config: { webhookNetworks: [] } })
  const refused = [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://u:p@example.com/',
    'file:///etc',
  ]
  for (const url of refused)
    expect(await readError(await owner.post('/webhooks', { url, events: [] }))).toMatchObject({
      code: 'invalid_webhook_url',
    })
  const { endpoint } = await add('https://localhost:1/', 'budget.reached')
  await owner.post(`/webhooks/${endpoint.id}/test`)
  expect(await attempted(endpoint.id, 1)).toMatchObject({ state: 'failed', error: 'address_not_allowed' })
})

test('after a rotation both secrets sign for a day, then the new one alone', async () => {
  const { clock, owner, add, json, attempted } = await start()
  const receiver = await startReceiver()
  const { endpoint, secret: before } = await add(receiver.url, 'budget.reached')
  const rotated = await json(await owner.post(`/webhooks/${endpoint.id}/rotate`))
  const { secret: after } = rotated as { secret: string }
  await owner.post(`/webhooks/${endpoint.id}/test`)
  const hook = await receiver.hook()
  expect(headerOf(hook, 'webhook-signature')).toBe(`${signatureOf(after, hook)} ${signatureOf(before, hook)}`)
  await attempted(endpoint.id, 1)
  clock.advance(86_400_000)
  await owner.post(`/webhooks/${endpoint.id}/test`)
  const later = await receiver.hook(2)
  expect(headerOf(later, 'webhook-signature')).toBe(signatureOf(after, later))
})

test('admins set up what their organisation is told of, members and others do not, and all of it goes with the organisation', async () => {
  const { helix, owner, add, clock } = await start()
  const receiver = await startReceiver()
  const { endpoint } = await add(receiver.url, 'key.expiring')
  const member = await joinAs(helix.url, owner, 'member', 'member@example.com')
  expect((await member.get('/webhooks')).status).toBe(403)
  const admin = await joinAs(helix.url, owner, 'admin', 'admin@example.com')
  expect((await admin.post(`/webhooks/${endpoint.id}`, { description: 'Pager' })).status).toBe(200)
  const ben = await signUp(helix.url, 'ben@example.com')
  expect((await ben.post(`/webhooks/${endpoint.id}`, { description: 'Mine' })).status).toBe(404)
  expect((await ben.get('/admin/webhooks')).status).toBe(403)
  const own = await using(clock, ben).add('https://canary-7f3a.example/path', 'key.expiring')
  expect(own.secret).toMatch(/^whsec_/)
  expect(dataFilesContain(helix.dataDir, 'canary-7f3a')).toBe(true)
  const removed = await ben.post('/account/delete', { password: 'plum harbour lantern' })
  if (removed.status >= 300) throw new Error(await removed.text())
  expect(dataFilesContain(helix.dataDir, 'canary-7f3a')).toBe(false)
  const actions = (await (await owner.get('/audit?action=webhook')).json()) as { data: { action: string }[] }
  expect(actions.data.map(({ action }) => action)).toEqual(['webhook.changed', 'webhook.added'])
})

test('the owner of the server learns that a model does not run, once, until it has run for a while', async () => {
  let state: 'failed' | 'ready' = 'failed'
  const status = () => ({ state, reason: null, memory: null, process: null, diskBytes: null }) as const
  const openModels = severalModels([{ id: 'broken', pool: { status } }])
  const { clock, owner } = await start({ openModels, config: { nodeName: 'alpha' } })
  const receiver = await startReceiver()
  const server = using(clock, owner, '/admin/webhooks')
  const { endpoint } = await server.add(receiver.url, 'engine.down', 'disk.low')
  expect(await server.arrives(receiver, endpoint.id)).toMatchObject({
    type: 'engine.down',
    data: { node: 'alpha', model: 'broken', state: 'failed' },
  })
  state = 'ready'
  for (let minute = 0; minute < 20; minute += 1) {
    clock.advance(60_000)
    await owner.get('/session')
  }
  state = 'failed'
  await server.arrives(receiver, endpoint.id, 2)
  expect((await server.log(endpoint.id)).map(({ type }) => type)).toEqual(['engine.down', 'engine.down'])
})

test('a sign-in from a new place is told to the person by mail and to their organisation', async () => {
  const post = await startMailServer()
  const mailFrom = 'Helix <helix@example.com>'
  const config = { smtpUrl: post.url, mailFrom, trustedProxies: ['127.0.0.1'] }
  const { helix, owner, add, arrives } = await start({ config })
  const token = /verify#([\w-]{43})/.exec((await post.mail()).text)?.[1]
  await owner.post('/email-verification', { token })
  const receiver = await startReceiver()
  const { endpoint } = await add(receiver.url, 'sign_in.new_place')
  const signInFrom = async (address: string) => {
    const browser = await openBrowser(helix.url, { 'x-forwarded-for': address })
    expect((await browser.signIn('owner@example.com')).status).toBe(200)
  }
  await signInFrom('198.51.100.7')
  expect((await post.mail(2)).text).toContain('198.51.100.0/24')
  expect(await arrives(receiver, endpoint.id)).toMatchObject({
    type: 'sign_in.new_place',
    data: { email: 'owner@example.com' },
  })
  expect(receiver.hooks[0]?.body).not.toContain('198.51')
  await signInFrom('198.51.100.99')
  await signInFrom('203.0.113.1')
  expect((await post.mail(3)).text).toContain('203.0.113.0/24')
})

test('mails about events are in the reader’s language, and need a confirmed address', async () => {
  const post = await startMailServer()
  const config = { smtpUrl: post.url, mailFrom: 'Helix <helix@example.com>' }
  const { owner, add, attempted } = await start({ config })
  await owner.post('/account/language', { language: 'ja' })
  const { endpoint, secret } = await add(null, 'budget.reached')
  expect(secret).toBeNull()
  expect(await readError(await owner.post(`/webhooks/${endpoint.id}/test`))).toMatchObject({ code: 'webhook_disabled' })
  await owner.post('/email-verification', { token: /verify#([\w-]{43})/.exec((await post.mail()).text)?.[1] })
  expect((await owner.post(`/webhooks/${endpoint.id}/test`)).status).toBe(200)
  const mail = await post.mail(2)
  expect(mail.to).toEqual(['owner@example.com'])
  expect(mail.text).toContain('これはテストです')
  expect(await attempted(endpoint.id, 1)).toMatchObject({ state: 'delivered', status: null, error: null })
})

test('without a mail server, mails about events cannot be set up', async () => {
  const { owner } = await start()
  expect(await readError(await owner.post('/webhooks', { url: null, events: [] }))).toMatchObject({
    code: 'mail_not_configured',
  })
})
