import { expect, test } from 'vitest'
import { claimServer, type FirstKey, goodPassword, openBrowser, signUp, tokenOf } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'
import { tempDir } from '../harness/temp-dir.ts'

const person = { email: 'owner@example.com', password: goodPassword }

test('the setup link of a new server makes its first user the owner, with a working key', async () => {
  const helix = await startHelix()
  expect(helix.server.claimUrl).toMatch(/^http:\/\/localhost:\d+\/claim#[\w-]{43}$/)
  const browser = await openBrowser(helix.url)
  expect(await browser.load()).toMatchObject({ account: null, organisation: null, signUp: 'setup', mail: false })
  const response = await browser.post('/setup', { ...person, token: tokenOf(helix.server.claimUrl), language: 'ja' })
  expect(response.status).toBe(200)
  const claimed = (await response.json()) as { account: object; organisation: object; firstKey: FirstKey }
  expect(claimed).toMatchObject({
    account: {
      id: expect.stringMatching(/^usr_\w{24}$/),
      email: 'owner@example.com',
      emailVerified: false,
      isOwner: true,
      createdAt: expect.any(Number),
      language: 'ja',
    },
    organisation: { id: expect.stringMatching(/^org_/), name: 'owner' },
    firstKey: {
      id: expect.stringMatching(/^key_/),
      name: '最初のキー',
      key: expect.stringMatching(/^hx_live_/),
      prefix: expect.stringMatching(/^hx_live_/),
      lastFour: expect.any(String),
      createdAt: expect.any(Number),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      createdBy: 'owner@example.com',
    },
  })
  const session = await browser.load()
  const account = { ...claimed.account, lastSeenAt: expect.any(Number) }
  expect(session).toMatchObject({ account, organisation: claimed.organisation, signUp: 'open' })
  const headers = { authorization: `Bearer ${claimed.firstKey.key}` }
  expect((await fetch(`${helix.baseUrl}/models`, { headers })).status).toBe(200)
})

test('the owner takes over keys that were created on the command line before', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const { data } = (await (await owner.get('/keys')).json()) as { data: { name: string; createdBy: string | null }[] }
  expect(data.map(({ name, createdBy }) => [name, createdBy])).toEqual([
    ['First key', 'owner@example.com'],
    ['test', null],
  ])
})

test('nobody can sign up before the server is claimed, or claim it with a wrong link', async () => {
  const helix = await startHelix()
  const browser = await openBrowser(helix.url)
  const early = await browser.post('/sign-up', person)
  expect(early.status).toBe(403)
  expect(await readError(early)).toMatchObject({ code: 'sign_up_closed' })
  for (const token of ['', 'wrong', `${tokenOf(helix.server.claimUrl)}x`]) {
    const response = await browser.post('/setup', { ...person, token })
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ code: 'invalid_link', param: 'token' })
  }
  expect(await browser.load()).toMatchObject({ signUp: 'setup' })
})

test('a used link is refused', async () => {
  const helix = await startHelix()
  await claimServer(helix)
  const late = await openBrowser(helix.url)
  const response = await late.post('/setup', {
    ...person,
    email: 'b@example.com',
    token: tokenOf(helix.server.claimUrl),
  })
  expect(await readError(response)).toMatchObject({ code: 'invalid_link' })
})

test('of concurrent claims exactly one succeeds', async () => {
  const helix = await startHelix()
  const token = tokenOf(helix.server.claimUrl)
  const browsers = await Promise.all(Array.from({ length: 8 }, () => openBrowser(helix.url)))
  const answers = await Promise.all(
    browsers.map((browser, n) => browser.post('/setup', { ...person, email: `p${n}@example.com`, token })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 400)])
  const owners = (await Promise.all(browsers.map(({ load }) => load()))).filter(({ account }) => account?.isOwner)
  expect(owners).toHaveLength(1)
})

test('a refused email or password does not use the link up', async () => {
  const helix = await startHelix()
  const token = tokenOf(helix.server.claimUrl)
  const browser = await openBrowser(helix.url)
  expect((await browser.post('/setup', { ...person, email: 'nobody', token })).status).toBe(400)
  expect((await browser.post('/setup', { ...person, password: 'short', token })).status).toBe(400)
  expect((await browser.post('/setup', { ...person, token })).status).toBe(200)
})

test('each startup has a new link until the server is claimed, and none afterwards', async () => {
  const dataDir = await tempDir()
  const first = await startHelix({ config: { dataDir } })
  const { claimUrl } = first.server
  await first.server.close()
  const second = await startHelix({ config: { dataDir } })
  expect(tokenOf(second.server.claimUrl)).not.toBe(tokenOf(claimUrl))
  const browser = await openBrowser(second.url)
  expect((await browser.post('/setup', { ...person, token: tokenOf(claimUrl) })).status).toBe(400)
  await claimServer(second)
  await signUp(second.url, 'b@example.com')
  await second.server.close()
  expect((await startHelix({ config: { dataDir } })).server.claimUrl).toBeNull()
})
