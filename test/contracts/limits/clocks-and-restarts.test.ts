import { describe, expect, test } from 'vitest'
import { callerWith } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter) => {
  const anyone = callerWith()

  describe('clocks', () => {
    test('fractions of a millisecond never make a wait longer than a minute', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerMinute: 1 })
      for (let count = 0; count < 100; count += 1) {
        it.clock.advance(60_000 + ((count * 0.137) % 1))
        await it.begin(caller, 1)
        expect((await it.refusal(caller, 1))?.options.retryAfterMs).toBe(60_000)
      }
    })

    test('setting the wall clock forward or back does not change the windows', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerMinute: 1, tokensPerMinute: 100 })
      ;(await it.begin(caller, 50)).end(50)
      for (const byMs of [3_600_000, -7_200_000, 3_600_000]) {
        it.clock.set(byMs)
        expect(await it.refusal(caller, 51)).toMatchObject({ options: { retryAfterMs: 60_000 } })
      }
      it.clock.set(-86_400_000)
      it.clock.advance(60_000)
      expect(await it.refusal(caller, 100)).toBeNull()
    })

    test('setting it back to a day with an exhausted budget does not grant that budget again', async () => {
      const it = await openLimiter()
      const caller = callerWith({ tokensPerDay: 100 })
      ;(await it.begin(caller, 100)).end(100)
      it.clock.set(86_400_000)
      ;(await it.begin(caller, 60)).end(60)
      it.clock.set(-86_400_000)
      expect(await it.refusal(caller, 1)).toMatchObject({ errorName: 'insufficient_quota' })
      it.clock.set(86_400_000)
      expect(await it.refusal(caller, 41)).toMatchObject({ errorName: 'insufficient_quota' })
      expect(await it.refusal(caller, 40)).toBeNull()
    })

    test('nor does setting it to many days, one after another', async () => {
      const it = await openLimiter()
      const caller = callerWith({ tokensPerDay: 100 })
      for (let day = 0; day < 10; day += 1) {
        ;(await it.begin(caller, 100)).end(100)
        it.clock.set(86_400_000)
      }
      for (let day = 0; day < 10; day += 1) {
        it.clock.set(-86_400_000)
        expect(await it.refusal(caller, 1)).toMatchObject({ errorName: 'insufficient_quota' })
      }
    })
  })

  describe('a restart', () => {
    test('does not reset the windows', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerMinute: 2, tokensPerMinute: 100 })
      ;(await it.begin(caller, 50)).end(40)
      it.clock.advance(10_000)
      const slow = await it.begin(caller, 30)
      it.clock.advance(20_000)
      slow.end(30)
      await it.restart()
      expect(await it.refusal(caller, 10)).toMatchObject({ options: { retryAfterMs: 30_000 } })
      it.clock.advance(30_000)
      // The first 40 have left, the last 30 stay for half a minute more.
      expect(await it.refusal(caller, 71)).toMatchObject({
        errorName: 'rate_limit_tokens',
        options: { retryAfterMs: 30_000 },
      })
      expect(await it.refusal(caller, 70)).toBeNull()
    })

    test('does not reset them with a clock that was set back meanwhile', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerMinute: 1 })
      ;(await it.begin(caller, 50)).end(40)
      it.clock.set(-3_600_000)
      await it.restart()
      expect(await it.refusal(caller, 10)).toMatchObject({ options: { retryAfterMs: 60_000 } })
    })

    test('counts unsettled requests with all their reserved tokens', async () => {
      const it = await openLimiter()
      await it.begin(anyone, 90)
      await it.restart()
      expect(await it.refusal(callerWith({ tokensPerMinute: 100 }), 11)).not.toBeNull()
    })

    test('restores budgets from the ledger', async () => {
      const it = await openLimiter({ organisationTokensPerDay: 100, tokensPerMonth: 150 })
      ;(await it.begin(anyone, 60)).end(60)
      it.clock.advance(24 * 3_600_000)
      ;(await it.begin(anyone, 60)).end(60)
      await it.restart()
      expect((await it.refusal(anyone, 31))?.message).toContain('tokens-per-month budget of this server')
      expect((await it.refusal(anyone, 41))?.message).toContain('tokens-per-month budget of this server')
      expect(await it.refusal(anyone, 30)).toBeNull()
    })
  })
})
