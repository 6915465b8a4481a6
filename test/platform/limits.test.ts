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

test('a limit of the settings is shown with its use, and when all of it is free again', async () => {
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
      { name: 'tokensPerDay', setBy: 'settings', limit: 1000, used, resetsAt: Date.UTC(2001, 10, 15, 15) },
      { name: 'tokensPerMonth', setBy: 'settings', limit: null, used: null, resetsAt: null },
    ],
    server: [],
    keys: [],
    unlimitedKeys: 2,
  })
  clock.advance(60_000)
  expect(await limitsOf(owner)).toMatchObject({ organisation: [{ used: 0 }, { used: 0 }, {}, { used }, {}] })
})

test('limits of a key and those the owner gave say so, and only the owner sees how full the server is', async () => {
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
      { name: 'tokensPerDay', setBy: 'settings', limit: null },
      { name: 'tokensPerMonth', setBy: 'owner', limit: 5000, used },
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
