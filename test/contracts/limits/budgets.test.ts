import { describe, expect, test } from 'vitest'
import { callerWith } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter) => {
  const anyone = callerWith()

  describe('budgets', () => {
    test('an exhausted budget states when it resets, and not to retry', async () => {
      const it = await openLimiter({ timeZone: 'Asia/Tokyo' })
      const caller = callerWith({ tokensPerDay: 100 })
      ;(await it.begin(caller, 90)).end(90)
      const refusal = await it.refusal(caller, 20)
      expect(refusal).toMatchObject({ errorName: 'insufficient_quota', status: 429, type: 'insufficient_quota' })
      expect(refusal?.options).toMatchObject({ shouldRetry: false })
      expect(refusal?.options.retryAfterMs).toBeUndefined()
      expect(refusal?.message).toBe(
        'You exceeded your current quota. This request exceeds the tokens-per-day budget of key key_1: Limit 100, Used 90, Requested 20. It resets at 2001-11-15T15:00:00Z.',
      )
      expect(await it.refusal(caller, 10)).toBeNull()
      it.clock.advance(15 * 3_600_000)
      expect(await it.refusal(caller, 100)).toBeNull()
    })

    test('a request that can do with less reserves at most what is left; one that names its tokens is refused', async () => {
      const it = await openLimiter()
      const caller = callerWith({ tokensPerDay: 100, tokensPerMonth: 1_000 })
      ;(await it.begin(caller, 13)).end(13)
      expect(await it.refusal(caller, 100)).toMatchObject({ errorName: 'insufficient_quota' })
      const open = await it.begin(caller, 1_024, 2)
      expect(open.tokens).toBe(87)
      expect(await open.extend(10)).toBe(0)
      // What is reserved may be released: it is worth trying again.
      await expect(it.begin(caller, 1_024, 2)).rejects.toMatchObject({ errorName: 'rate_limit_tokens' })
      open.end(80)
      expect((await it.begin(caller, 1_024, 2)).tokens).toBe(7)
      await expect(it.begin(caller, 1_024, 8)).rejects.toMatchObject({ errorName: 'insufficient_quota' })
    })

    test('the narrowest of several budgets decides, and each has what the others leave', async () => {
      const it = await openLimiter({ organisationTokensPerMonth: 200 })
      const caller = callerWith({ tokensPerDay: 150 })
      ;(await it.begin(caller, 120)).end(120)
      expect((await it.begin(caller, 500, 2)).tokens).toBe(30)
      it.clock.advance(24 * 3_600_000)
      expect((await it.begin(caller, 500, 2)).tokens).toBe(50)
    })

    test('concurrent requests that can do with less share what is left, and never exceed it', async () => {
      const it = await openLimiter({ tokensPerDay: 100 })
      const admitted = await Promise.allSettled(Array.from({ length: 20 }, () => it.begin(anyone, 30, 2)))
      const tokens = admitted.flatMap((one) => (one.status === 'fulfilled' ? [one.value.tokens] : []))
      expect(tokens).toEqual([30, 30, 30, 10])
    })

    test('of the tokens for a minute, less than needed is refused with the time to wait, not cut', async () => {
      const it = await openLimiter({ tokensPerMinute: 100, tokensPerDay: 1_000 })
      ;(await it.begin(anyone, 90)).end(90)
      await expect(it.begin(anyone, 50, 2)).rejects.toMatchObject({
        errorName: 'rate_limit_tokens',
        options: { retryAfterMs: 60_000 },
      })
      it.clock.advance(60_000)
      expect((await it.begin(anyone, 50, 2)).tokens).toBe(50)
    })

    test('a month is the sum of its days', async () => {
      const it = await openLimiter({ tokensPerMonth: 100 })
      for (let day = 15; day <= 17; day += 1) {
        ;(await it.begin(anyone, 30)).end(30)
        it.clock.advance(24 * 3_600_000)
      }
      const refusal = await it.refusal(anyone, 11)
      expect(refusal?.message).toContain('tokens-per-month budget of this server')
      expect(refusal?.message).toContain('It resets at 2001-12-01T00:00:00Z.')
      expect(await it.refusal(anyone, 10)).toBeNull()
      it.clock.advance(13 * 24 * 3_600_000)
      expect(await it.refusal(anyone, 100)).toBeNull()
    })

    test('a request that runs past midnight counts for the day on which it ends', async () => {
      const it = await openLimiter()
      const caller = callerWith({ tokensPerDay: 100 })
      it.clock.advance(24 * 3_600_000 - 1_000)
      const running = await it.begin(caller, 80)
      it.clock.advance(2_000)
      expect(await it.refusal(caller, 21)).not.toBeNull()
      running.end(70)
      expect(await it.refusal(caller, 31)).toMatchObject({ errorName: 'insufficient_quota' })
      expect(await it.refusal(caller, 30)).toBeNull()
    })

    test('a request larger than the whole budget gets an error that says so', async () => {
      const it = await openLimiter({ organisationTokensPerMonth: 100 })
      const refusal = await it.refusal(anyone, 101)
      expect(refusal?.errorName).toBe('request_above_rate_limit')
      expect(refusal?.message).toContain('in organization org_1 on tokens per month: Limit 100')
    })

    test('tokens settled while the sum is being read are not lost', async () => {
      const it = await openLimiter()
      const running = await it.begin(anyone, 80)
      const asked = Promise.withResolvers<void>()
      const late = Promise.withResolvers<void>()
      it.onArrival(() => {
        asked.resolve()
        return late.promise
      })
      const caller = callerWith({ tokensPerDay: 100 })
      const refusal = it.refusal(caller, 21)
      await asked.promise
      running.end(80)
      late.resolve()
      expect(await refusal).toMatchObject({ errorName: 'insufficient_quota' })
      expect(await it.refusal(caller, 20)).toBeNull()
    })

    test('tokens that are not written yet are not lost either, nor counted twice once they are', async () => {
      const it = await openLimiter()
      const written = Promise.withResolvers<void>()
      const caller = callerWith({ tokensPerDay: 100, tokensPerMonth: 100 })
      it.clock.advance(86_400_000 - 1)
      const running = await it.begin(caller, 80)
      it.clock.advance(1)
      running.end(80, written.promise)
      for (const isWritten of [false, true]) {
        if (isWritten) written.resolve()
        expect(await it.refusal(caller, 21)).toMatchObject({ errorName: 'insufficient_quota' })
        expect(await it.refusal(caller, 20)).toBeNull()
      }
    })

    test('concurrent requests read the sum once', async () => {
      const it = await openLimiter()
      const caller = callerWith({ tokensPerDay: 100 })
      await Promise.all(Array.from({ length: 50 }, () => it.refusal(caller, 1)))
      expect(it.questions()).toBe(2)
    })

    test('if the sum cannot be read the caller gets the error, and the next request reads it again', async () => {
      const it = await openLimiter()
      await it.begin(anyone, 1)
      it.onArrival(() => Promise.reject(new Error('disk on fire')))
      const caller = callerWith({ tokensPerDay: 100 })
      await expect(it.refusal(caller, 1)).rejects.toThrow('disk on fire')
      it.onArrival(async () => {})
      expect(await it.refusal(caller, 1)).toBeNull()
    })
  })
})
