import { expect, test } from 'vitest'
import { noLimits } from '../../src/store/limit-names.ts'
import { claimServer, openBrowser, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../harness/scratch-store.ts'
import { modelName, openHelix, startHelix } from '../harness/start-helix.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>
const limitsOf = async (browser: Browser) => (await (await browser.get('/limits')).json()) as Record<string, unknown>
const chatBody = { model: modelName, messages: [{ role: 'user', content: 'Hi' }], max_completion_tokens: 10 }
/** An answer takes two tokens of the prompt and four of its own. */
const used = 6

test('a limit of the settings is shown with its usage and reset time', async () => {
  const clock = createManualClock(Date.UTC(2001, 10, 15, 12))
  const helix = await startHelix({
    clock,
    config: {
      organisationRequestsPerMinute: 60,
      organisationTokensPerMinute: 40_000,
      organisationRequestsInFlight: 4,
      organisationTokensPerDay: 1000,
      timeZone: 'Asia/Tokyo',
    },
  })
  const owner = await claimServer(helix)
  expect((await owner.post('/playground/chat/completions', chatBody)).status).toBe(200)
  clock.advance(20_000)
  const now = clock.now()
  expect(await limitsOf(owner)).toEqual({
    now,
    timeZone: 'Asia/Tokyo',
    organisation: [
      { name: 'requestsPerMinute', setBy: 'settings', limit: 60, used: 1, resetsAt: now + 40_000 },
      { name: 'tokensPerMinute', setBy: 'settings', limit: 40_000, used, resetsAt: expect.any(Number) },
      { name: 'requestsInFlight', setBy: 'settings', limit: 4, used: 0, resetsAt: now },
      { name: 'requestsPerDay', setBy: 'settings', limit: null, used: null, resetsAt: null },
      { name: 'tokensPerDay', setBy: 'settings', limit: 1000, used, resetsAt: Date.UTC(2001, 10, 15, 15) },
      { name: 'tokensPerMonth', setBy: 'settings', limit: null, used: null, resetsAt: null },
      { name: 'costPerDayMicros', setBy: 'settings', limit: null, used: null, resetsAt: null },
      { name: 'costPerMonthMicros', setBy: 'settings', limit: null, used: null, resetsAt: null },
    ],
    server: [],
    keys: [],
    unlimitedKeys: 2,
  })
  clock.advance(60_000)
  expect(await limitsOf(owner)).toMatchObject({
    organisation: [{ used: 0 }, { used: 0 }, {}, {}, { used }, {}, {}, {}],
  })
})

test('limits show where they were set, and only the owner sees the usage of the server', async () => {
  using directory = scratchDirectory()
  const config = { dataDir: directory.path, requestsPerMinute: 100, organisationRequestsPerMinute: 60 }
  const before = await openHelix({ config })
  await claimServer(before)
  const anna = await signUp(before.url, 'anna@example.com')
  const organisationId = (await anna.load()).organisation?.id ?? ''
  await anna.post('/keys', { name: 'second' })
  await before.close()
  {
    await using store = await openScratchStore(directory.path)
    await store.organisations.setLimits(
      organisationId,
      { ...noLimits, requestsPerMinute: 0, tokensPerMonth: 5000 },
      null,
    )
    await store.keys.change(
      { organisationId },
      anna.firstKey.id,
      { limits: { ...noLimits, tokensPerMinute: 500 } },
      null,
    )
  }
  const helix = await startHelix({ config })
  const headers = { authorization: `Bearer ${anna.firstKey.key}`, 'content-type': 'application/json' }
  const asked = await fetch(`${helix.baseUrl}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(chatBody),
  })
  expect(asked.status).toBe(200)
  await asked.text()
  const again = await openBrowser(helix.url)
  await again.signIn('anna@example.com')
  const shown = await limitsOf(again)
  expect(shown).toMatchObject({
    organisation: [
      { name: 'requestsPerMinute', setBy: 'owner', limit: null, used: null },
      { name: 'tokensPerMinute', setBy: 'settings', limit: null },
      { name: 'requestsInFlight', setBy: 'settings', limit: null },
      { name: 'requestsPerDay', setBy: 'settings', limit: null },
      { name: 'tokensPerDay', setBy: 'settings', limit: null },
      { name: 'tokensPerMonth', setBy: 'owner', limit: 5000, used },
      { name: 'costPerDayMicros', limit: null },
      { name: 'costPerMonthMicros', limit: null },
    ],
    keys: [{ id: anna.firstKey.id, limits: [{ name: 'tokensPerMinute', setBy: 'key', limit: 500, used }] }],
    server: [{ name: 'requestsPerMinute', setBy: 'settings', limit: 100, used: null, resetsAt: null }],
    unlimitedKeys: 1,
  })
  expect(JSON.stringify(shown)).not.toContain(anna.firstKey.key)

  const owner = await openBrowser(helix.url)
  await owner.signIn('owner@example.com')
  expect(await limitsOf(owner)).toMatchObject({
    server: [{ name: 'requestsPerMinute', limit: 100, used: 1 }],
    keys: [],
  })
})

const unset = {
  organisationRequestsPerMinute: null,
  organisationTokensPerMinute: null,
  organisationRequestsInFlight: null,
}

test('the defaults of new organisations do not apply to the organisation of the server', async () => {
  const helix = await startHelix({ config: unset })
  const free = { limit: null, used: null, resetsAt: null }
  const ownersOwn = [
    { name: 'requestsPerMinute', setBy: 'servers_own', ...free },
    { name: 'tokensPerMinute', setBy: 'servers_own', ...free },
    { name: 'requestsInFlight', setBy: 'servers_own', ...free },
    { name: 'requestsPerDay', setBy: 'settings', ...free },
    { name: 'tokensPerDay', setBy: 'settings', ...free },
    { name: 'tokensPerMonth', setBy: 'settings', ...free },
    { name: 'costPerDayMicros', setBy: 'settings', ...free },
    { name: 'costPerMonthMicros', setBy: 'settings', ...free },
  ]
  expect((await helix.chat({})).headers.has('x-ratelimit-limit-requests')).toBe(false)
  const owner = await claimServer(helix)
  expect((await helix.chat({})).headers.has('x-ratelimit-limit-requests')).toBe(false)
  expect(await limitsOf(owner)).toMatchObject({ organisation: ownersOwn })

  const newcomers = [
    { name: 'requestsPerMinute', setBy: 'settings', limit: 60 },
    { name: 'tokensPerMinute', setBy: 'settings', limit: 40_000 },
    { name: 'requestsInFlight', setBy: 'settings', limit: 4 },
    { name: 'requestsPerDay', setBy: 'settings', limit: null },
    {},
    {},
    {},
    {},
  ]
  const anna = await signUp(helix.url, 'anna@example.com')
  expect(await limitsOf(anna)).toMatchObject({ organisation: newcomers })
  // Another one of the owner's is one of many again.
  const second = await owner.post('/organisations', { name: 'Second' })
  expect(second.status).toBe(201)
  expect(await limitsOf(owner)).toMatchObject({ organisation: newcomers })
})

test('limits in the settings for all organisations, or given to that one, apply to it too', async () => {
  const helix = await startHelix({ config: { ...unset, organisationRequestsPerMinute: 7 } })
  const owner = await claimServer(helix)
  const organisationId = (await owner.load()).organisation?.id ?? ''
  await helix.control('POST', `/control/limits/${organisationId}`, { requestsInFlight: 2 })
  expect(await limitsOf(owner)).toMatchObject({
    organisation: [
      { name: 'requestsPerMinute', setBy: 'settings', limit: 7 },
      { name: 'tokensPerMinute', setBy: 'servers_own', limit: null },
      { name: 'requestsInFlight', setBy: 'owner', limit: 2 },
      { name: 'requestsPerDay', setBy: 'settings', limit: null },
      {},
      {},
      {},
      {},
    ],
  })
})
