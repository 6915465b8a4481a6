import { describe, expect, test } from 'vitest'
import { callerWith } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter) => {
  const anyone = callerWith()

  describe('requests per day', () => {
    test('the requests of a day are used up until midnight, also before the body is read', async () => {
      const it = await openLimiter({ timeZone: 'Asia/Tokyo' })
      const caller = callerWith({ requestsPerDay: 2, requestsPerMinute: 100 })
      for (const tokens of [90, 0]) (await it.begin(caller, 90)).end(tokens)
      const refusal = await it.refusal(caller, 20)
      expect(refusal).toMatchObject({ errorName: 'insufficient_quota', status: 429 })
      expect(refusal?.message).toBe(
        'You exceeded your current quota. This request exceeds the requests-per-day budget of key key_1: Limit 2, Used 2, Requested 1. It resets at 2001-11-15T15:00:00Z.',
      )
      expect(refusal?.options).toMatchObject({
        shouldRetry: false,
        headers: { 'x-ratelimit-limit-requests': '100', 'x-ratelimit-remaining-requests': '98' },
        limit: { name: 'requests_per_day', scope: 'key', limit: 2, used: 2, requested: 1 },
      })
      await expect(it.precheck(caller)).rejects.toMatchObject({ errorName: 'insufficient_quota' })
      it.clock.advance(15 * 3_600_000)
      expect(await it.refusal(caller, 20)).toBeNull()
    })

    test('running requests count, and may be waited for', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerDay: 2 })
      const first = await it.begin(caller, 10)
      const second = await it.begin(caller, 10)
      const refusal = await it.refusal(caller, 10)
      expect(refusal).toMatchObject({ errorName: 'rate_limit_requests_of_period', type: 'requests' })
      expect(refusal?.message).toBe(
        'Rate limit reached for helix-v1 in key key_1 on requests per day (RPD): Limit 2, Used 2, Requested 1. Please try again in 1s.',
      )
      const [snapshot] = await it.usageSnapshots(caller)
      expect(snapshot?.uses.requestsPerDay).toMatchObject({ limit: 2, used: 2 })
      // It never was in the ledger, so it did not take place.
      first.cancel()
      second.end(5)
      expect(await it.refusal(caller, 10)).toBeNull()
      expect(await it.refusal(caller, 10)).toMatchObject({ errorName: 'insufficient_quota' })
    })

    test('concurrent requests never exceed it, whoever sends them', async () => {
      const it = await openLimiter({ requestsPerDay: 7, organisationRequestsPerDay: 5 })
      const others = { ...anyone, organisationId: 'org_2', key: null }
      const admit = async (caller: typeof anyone) => (await it.begin(caller, 10)).end(10)
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) => admit(index < 12 ? anyone : others)),
      )
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(7)
      const ofOne = await it.usageSnapshots(anyone)
      expect(ofOne.find(({ scope }) => scope === 'organisation')?.uses.requestsPerDay?.used).toBe(5)
      expect(ofOne.find(({ scope }) => scope === 'server')?.uses.requestsPerDay?.used).toBe(7)
    })

    test('a restart forgets none, and counts none twice', async () => {
      const it = await openLimiter({ organisationRequestsPerDay: 4 })
      for (let request = 0; request < 3; request += 1) (await it.begin(anyone, 10)).end(10)
      await it.restart()
      expect(await it.refusal(anyone, 10)).toBeNull()
      expect(await it.refusal(anyone, 10)).toMatchObject({ options: { limit: { used: 4, requested: 1 } } })
      await it.restart()
      expect(await it.refusal(anyone, 10)).toMatchObject({ options: { limit: { used: 4, requested: 1 } } })
    })

    test('one that is still being written when a sum is loaded counts', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerDay: 2 })
      const unlimited = callerWith()
      const written = Promise.withResolvers<void>()
      const [first, second] = [await it.begin(unlimited, 10), await it.begin(unlimited, 10)]
      first.end(10)
      second.end(10, written.promise)
      expect(await it.refusal(caller, 10)).toMatchObject({ errorName: 'insufficient_quota' })
      written.resolve()
    })

    test('what generates nothing and is not in the ledger does not count', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerDay: 1 })
      const counted = await it.precheck(caller, null, true)
      counted.admitWithoutTokens()
      counted.release()
      expect(await it.refusal(caller, 10)).toBeNull()
    })
  })
})
