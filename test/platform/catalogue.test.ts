import { expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { liveEvents } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readMetrics } from '../harness/read-metrics.ts'
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

test('the speed is that of streams which took their time, of yesterday and today', async () => {
  const clock = createManualClock()
  const pause = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock,
    config: { metricsPort: 0 },
    *answer([message]) {
      yield 'word '
      if (message?.content === 'slowly') yield { pause: pause.promise }
      yield* Array.from({ length: 40 }, () => 'word ')
    },
  })
  const owner = await claimServer(helix)
  const read = async <Data>(path: string): Promise<Data> => {
    clock.advance(2_001)
    return ((await (await owner.get(path)).json()) as { data: Data }).data
  }
  type Shown = { tokensPerSecond: number | null }
  const listed = async () => (await read<{ speed: Shown | null }[]>('/models'))[0]?.speed
  const requests = async () => (await read<Shown[]>('/requests')).map(({ tokensPerSecond }) => tokensPerSecond)
  const ask = async (how: string, stream: boolean): Promise<void> => {
    const asked = helix.chat({ stream, messages: [{ role: 'user', content: how }] })
    if (how === 'slowly') {
      const events = liveEvents(await asked)
      await events.until('word ')
      clock.advance(2_000)
      pause.resolve()
      await events.rest()
    } else await (await asked).text()
  }
  await ask('at once', false)
  await ask('at once', true)
  await expect.poll(listed).toEqual({ firstTokenMs: expect.any(Number), tokensPerSecond: null })
  await ask('slowly', true)
  await expect.poll(listed).toMatchObject({ tokensPerSecond: 20 })
  expect(await requests()).toEqual([20, null, null])
  const perToken = 'gen_ai_server_time_per_output_token_seconds'
  const labels = '{gen_ai_operation_name="chat",gen_ai_request_model="helix-v1"}'
  const samples = await readMetrics(helix)
  expect([samples.get(`${perToken}_count${labels}`), samples.get(`${perToken}_sum${labels}`)]).toEqual([1, 0.05])
})

test('nobody sees the list without an account', async () => {
  const helix = await startHelix()
  expect((await fetch(`${helix.url}/platform/models`)).status).toBe(401)
})
