import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { claimServer, goodPassword, joinAs, openBrowser, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

const clock = createManualClock(Date.UTC(2001, 10, 15, 12))
const dayMs = 86_400_000
let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
let isConfigChanged = false
beforeAll(async () => {
  helix = await openHelix({ clock, hasConfigChanged: async () => isConfigChanged })
  owner = await claimServer(helix)
  return helix.close
})

type Notice = { id: string; kind: string; subject: string | null; limit: string | null; percent: number | null }
const notices = async (browser: Pick<typeof owner, 'get'> = owner): Promise<Notice[]> => {
  const response = await browser.get('/notices')
  expect(response.status).toBe(200)
  return ((await response.json()) as { data: Notice[] }).data
}
const checklist = async () => (await (await owner.get('/admin/checklist')).json()) as Record<string, unknown>

test('keys that expire soon and budgets that are nearly used up are notices, each with a name of its own', async () => {
  expect(await notices()).toEqual([])
  await owner.post('/keys', { name: 'soon', expiresAt: clock.now() + 6 * dayMs })
  await owner.post('/keys', { name: 'later', expiresAt: clock.now() + 30 * dayMs })
  expect(await notices()).toMatchObject([{ kind: 'expiry', subject: 'soon', at: clock.now() + 6 * dayMs }])
  const made = await owner.post('/keys', { name: 'narrow', limits: { tokensPerDay: 20 } })
  const { key } = (await made.json()) as { key: string }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: modelName, max_tokens: 4, messages: [{ role: 'user', content: 'Hi' }] })
  const ask = async () => (await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })).status
  while ((await ask()) === 200);
  const [first, ...others] = await notices()
  expect(first).toMatchObject({ kind: 'budget', subject: 'narrow', limit: 'tokensPerDay' })
  expect(first?.percent).toBeGreaterThanOrEqual(50)
  expect(others).toHaveLength(1)
  // The next day is another notice, if it is one at all.
  clock.advance(dayMs)
  expect((await notices()).map(({ kind }) => kind)).toEqual(['expiry'])
  expect(await notices(await signUp(helix.url, 'anna@example.com'))).toEqual([])
})

test('only the owner of the server learns that its settings have changed', async () => {
  isConfigChanged = true
  const viewer = await joinAs(helix.url, owner, 'viewer', 'viewer@example.com')
  expect((await notices()).map(({ kind }) => kind)).toContain('configuration')
  expect((await notices(viewer)).map(({ kind }) => kind)).not.toContain('configuration')
})

test('what makes requests fail now comes first: a page shows only a few', async () => {
  expect((await notices()).map(({ kind }) => kind)).toContain('expiry')
  await owner.post('/admin/upstreams', { name: 'dead', url: 'http://127.0.0.1:1/v1', models: [{ name: 'gone' }] })
  expect((await notices())[0]).toMatchObject({ kind: 'engine', subject: 'dead' })
  await owner.post('/admin/upstreams/dead/remove', {})
})

test('the first steps have the state that the server sees', async () => {
  const { backedUpAt, ...steps } = await checklist()
  expect(steps).toEqual({
    ...{ https: false, twoFactor: false, limits: false, mail: false, invited: true, model: false },
    usesPostgres: false,
  })
  expect(backedUpAt).toBeNull()
  await helix.control('POST', '/control/backup', { file: join(helix.dataDir, 'copy.db') })
  expect(await checklist()).toMatchObject({ backedUpAt: clock.now() })
})

test('what somebody hides is hidden for their account, wherever they sign in, until they show it again', async () => {
  const ben = await signUp(helix.url, 'ben@example.com')
  const choices = async (browser: Pick<typeof owner, 'get'> = ben) =>
    ((await (await browser.get('/notices')).json()) as { choices: unknown }).choices
  const nothing = { off: [], dismissed: [], hidesChecklist: false }
  expect(await choices()).toEqual(nothing)
  const change = (body: object) => ben.post('/notices/choices', body)
  await change({ what: 'notice', id: 'expiry key_1 5', isHidden: true })
  await change({ what: 'kind', kind: 'engine', isHidden: true })
  expect(await (await change({ what: 'checklist', isHidden: true })).json()).toEqual({
    ...{ off: ['engine'], dismissed: ['expiry key_1 5'], hidesChecklist: true },
  })
  const elsewhere = await openBrowser(helix.url)
  await elsewhere.signIn('ben@example.com', goodPassword)
  expect(await choices(elsewhere)).toEqual({ off: ['engine'], dismissed: ['expiry key_1 5'], hidesChecklist: true })
  expect(await choices(owner)).toEqual(nothing)
  await change({ what: 'kind', kind: 'engine', isHidden: false })
  await change({ what: 'checklist', isHidden: false })
  expect(await choices()).toEqual({ ...nothing, dismissed: ['expiry key_1 5'] })
  expect((await change({ what: 'notice', id: 'x'.repeat(301), isHidden: true })).status).toBe(400)
  expect((await change({ what: 'kind', kind: 'weather', isHidden: true })).status).toBe(400)
})
