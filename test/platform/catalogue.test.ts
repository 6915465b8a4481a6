import { expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

test('members see every model with its price and, once it was used, its speed', async () => {
  const helix = await startHelix({
    answer: () => Array.from({ length: 80 }, () => 'word '),
    config: { prices: { [modelName]: { prompt: 1, cached: 0.5, completion: 2 } } },
  })
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const listed = async () => (await anna.get('/models')).json()
  expect(await listed()).toMatchObject({
    currency: 'USD',
    data: [
      {
        ...{ id: modelName, kind: 'chat', contextTokens: 4096, isDefault: true, isAvailable: true, speed: null },
        price: { promptMicros: 1_000_000, cachedMicros: 500_000, completionMicros: 2_000_000 },
      },
    ],
  })
})

test('the speed is that of yesterday and today', async () => {
  const helix = await startHelix({ answer: () => Array.from({ length: 80 }, () => 'word ') })
  const owner = await claimServer(helix)
  expect((await helix.chat({})).status).toBe(200)
  const listed = async () => ((await (await owner.get('/models')).json()) as { data: { speed: unknown }[] }).data
  await expect.poll(listed, { timeout: 20_000 }).toMatchObject([{ speed: { firstTokenMs: expect.any(Number) } }])
})

test('nobody sees the list without an account', async () => {
  const helix = await startHelix()
  expect((await fetch(`${helix.url}/platform/models`)).status).toBe(401)
})
