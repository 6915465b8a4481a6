import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { noLimits } from '../../test/harness/open-limiter.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import { loadConfig } from '../config/load-config.ts'
import { createLimiter } from './create-limiter.ts'

test('with a real store: given limits, and windows and budgets from the ledger', async () => {
  using scratch = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(scratch.path, clock)
  const { id: organisationId } = await store.organisations.first()
  await store.organisations.setLimits(organisationId, { ...noLimits, tokensPerMinute: 200, tokensPerMonth: 100 }, null)
  const counts = { promptTokens: 40, cachedTokens: 10, completionTokens: 20, reasoningTokens: 5 }
  const free = { price: null, reservedMicros: null }
  const request = { requestId: 'req_1', organisationId, keyId: 'key_1', model: 'helix-v1', stream: false } as const
  await store.ledger.reserve([
    { ...request, ...free, endpoint: 'chat.completions', reservedTokens: 90, limits: null, createdAt: clock.now() },
  ])
  clock.advance(1_000)
  await store.ledger.settle(
    [
      {
        ...counts,
        ...{ requestId: 'req_1', outcome: 'completed', finishReason: 'stop', error: null, queueMs: 0, firstTokenMs: 1 },
        ...{ costMicros: 4_000, durationMs: 1_000, endedAt: clock.now(), day: 20011115 },
      },
    ],
    [],
  )
  clock.advance(1_000)
  const config = loadConfig({ flags: {}, environment: {}, configFile: null })
  const limiter = await createLimiter({
    store,
    clock,
    settings: { ...config, organisationRequestsPerMinute: 60, tokensPerDay: 500, costPerDay: 0.01 },
    findPrice: () => null,
    hasFreeModel: () => true,
  })
  const key = { id: 'key_1', limits: { ...noLimits, tokensPerDay: 300, requestsPerMinute: 7 } }
  const now = clock.now()
  const [nextDay, nextMonth] = [Date.UTC(2001, 10, 16), Date.UTC(2001, 11, 1)]
  expect(await limiter.usageSnapshots(organisationId, key)).toEqual([
    {
      scope: 'key',
      uses: {
        requestsPerMinute: { limit: 7, used: 1, resetsAt: now + 58_000 },
        tokensPerDay: { limit: 300, used: 60, resetsAt: nextDay },
      },
    },
    {
      scope: 'organisation',
      uses: {
        requestsPerMinute: { limit: 60, used: 1, resetsAt: now + 58_000 },
        tokensPerMinute: { limit: 200, used: 60, resetsAt: now + 59_000 },
        tokensPerMonth: { limit: 100, used: 60, resetsAt: nextMonth },
      },
    },
    {
      scope: 'server',
      uses: {
        tokensPerDay: { limit: 500, used: 60, resetsAt: nextDay },
        costPerDayMicros: { limit: 10_000, used: 4_000, resetsAt: nextDay },
      },
    },
  ])
  const stranger = { id: 'key_2', limits: { ...noLimits, tokensPerDay: 300 } }
  const [ofStranger] = await limiter.usageSnapshots(organisationId, stranger)
  expect(ofStranger?.uses.tokensPerDay?.used).toBe(0)
})
