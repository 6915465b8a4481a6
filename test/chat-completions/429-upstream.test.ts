import { expect, test } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { lockWrites } from '../harness/lock-writes.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { sayJson, startUpstream, type Upstream } from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

/** The rules for limits and the ledger, with an upstream in place of an engine that counts its tokens. */
const engineOf = ({ baseUrl }: Upstream, slots: number): Engine =>
  openRemoteEngine({
    baseUrl,
    key: null,
    upstreamModel: 'theirs',
    name: modelName,
    contextTokens: null,
    slots,
    created: 0,
    log: createLogCatcher({ clock: createManualClock(), format: 'json' }).log,
  })

test('what is refused never reaches the upstream, whatever the reason', async () => {
  const upstream = await startUpstream((response) => sayJson(response, { content: 'ok' }))
  const helix = await startHelix({
    clock: createManualClock(),
    config: { organisationRequestsPerMinute: 2, tokensPerMinute: 1_000 },
    startEngine: () => engineOf(upstream, 4),
  })
  const statuses: number[] = []
  for (const body of [{ messages: [] }, { max_tokens: 2_000 }, { model: 'another' }, {}, {}, {}])
    statuses.push((await helix.chat({ max_tokens: 10, ...body })).status)
  expect(statuses).toEqual([400, 429, 404, 200, 200, 429])
  expect(upstream.asked).toHaveLength(2)
  expect(await readLedger(helix)).toHaveLength(2)
})

test('of 100 concurrent requests the upstream gets as many as the limit allows, and no budget is exceeded', async () => {
  const clock = createManualClock()
  const all = Promise.withResolvers<void>()
  let decided = 0
  const decide = (): void => {
    decided += 1
    if (decided === 100) all.resolve()
  }
  const upstream = await startUpstream(async (response) => {
    decide()
    await all.promise
    // It claims more than it was allowed: the limit of the request is billed at most.
    sayJson(response, { content: 'word '.repeat(20) }, {}, { prompt_tokens: 2, completion_tokens: 5_000 })
  })
  const helix = await startHelix({
    clock,
    config: { organisationTokensPerDay: 1_000, queueLimit: 0 },
    startEngine: () => engineOf(upstream, 100),
  })
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const response = await helix.chat({ max_tokens: 20 })
      if (response.status !== 200) decide()
      await response.text()
      return response.status
    }),
  )
  const rows = await readLedger(helix)
  const [{ reservedTokens = 0 } = {}] = rows
  expect(rows).toHaveLength(Math.floor(1_000 / reservedTokens))
  expect(upstream.asked).toHaveLength(rows.length)
  expect(statuses.filter((status) => status === 200)).toHaveLength(rows.length)
  for (const { settlement } of rows)
    expect((settlement?.promptTokens ?? 0) + (settlement?.completionTokens ?? 0)).toBeLessThanOrEqual(reservedTokens)
})

test('the answer of an upstream is sent once its reservation and its settlement are durable', async () => {
  const arrived = Promise.withResolvers<void>()
  const more = Promise.withResolvers<void>()
  const upstream = await startUpstream(async (response) => {
    arrived.resolve()
    await more.promise
    sayJson(response, { content: 'ok' })
  })
  const helix = await startHelix({ clock: createManualClock(), startEngine: () => engineOf(upstream, 4) })
  const roundTrips = async (): Promise<void> => {
    for (let trip = 0; trip < 10; trip += 1) await (await fetch(`${helix.url}/healthz`)).text()
  }
  const reservations = await lockWrites(helix)
  let isAnswered = false
  const asked = helix.chat({}).finally(() => {
    isAnswered = true
  })
  // It may be asked while the reservation is written.
  await arrived.promise
  await roundTrips()
  expect(isAnswered).toBe(false)
  await reservations.unlock()
  // Calls to the store take effect in their order: once this one is answered, the reservation is there.
  await helix.control('GET', '/control/keys')
  const settlements = await lockWrites(helix)
  more.resolve()
  await roundTrips()
  expect(isAnswered).toBe(false)
  await settlements.unlock()
  expect((await asked).status).toBe(200)
  expect(await readLedger(helix)).toMatchObject([{ settlement: { outcome: 'completed' } }])
})
