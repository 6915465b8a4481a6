import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/base/api-error.ts'
import type { Price } from '../../../src/prices/price.ts'
import { callerWith } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter, part) => {
  /** Two micros for each token, of the prompt and of the answer. */
  const twoEach: Price = { promptMicros: 2_000_000, cachedMicros: 2_000_000, completionMicros: 2_000_000 }

  const openPriced = async (settings: Parameters<typeof openLimiter>[0] = {}, price: Price | null = twoEach) => {
    const it = await openLimiter(settings)
    it.setPrice(price)
    return it
  }

  describe('a budget in money', () => {
    test('is reserved at the most that the request can cost, and settled at what it did cost', async () => {
      const it = await openPriced()
      const caller = callerWith({ costPerDayMicros: 200 })
      const running = await it.begin(caller, 60)
      expect(running.reservedMicros).toBe(120)
      expect(await it.refusal(caller, 41)).toMatchObject({ errorName: 'rate_limit_tokens' })
      running.end(10)
      expect((await it.usageSnapshots(caller))[0]?.uses.costPerDayMicros).toMatchObject({ limit: 200, used: 20 })
      const other = await it.begin(caller, 90)
      expect(other.reservedMicros).toBe(180)
    })

    test('that is used up refuses with the amounts, the currency and when it resets', async () => {
      const it = await openPriced({ costPerMonth: 0.0002, currency: 'EUR' })
      const caller = callerWith()
      const running = await it.begin(caller, 100)
      running.end(100)
      const refusal = await it.refusal(caller, 1)
      expect(refusal).toMatchObject({ errorName: 'insufficient_quota' })
      expect(refusal?.message).toBe(
        'You exceeded your current quota. This request exceeds the cost-per-month budget of this server: Limit 0.0002 EUR, Used 0.0002 EUR, Requested 0.000002 EUR. It resets at 2001-12-01T00:00:00Z.',
      )
    })

    test('that is used up refuses before the body is read, unless a model is free', async () => {
      const it = await openPriced()
      const caller = callerWith({ costPerDayMicros: 10 })
      const pending = await it.precheck(caller)
      const running = await pending.admit(5)
      // What is reserved may still be released.
      ;(await it.precheck(caller)).release()
      running.end(5)
      await expect(it.precheck(caller)).rejects.toMatchObject({
        errorName: 'insufficient_quota',
        message: expect.stringContaining('Limit 0.00001 USD, Used 0.00001 USD'),
      })
      it.setPrice({ ...twoEach, promptMicros: 0 })
      await it.precheck(caller)
    })

    test('that is smaller than the request says so, with its tokens', async () => {
      const it = await openPriced({ organisationCostPerDay: 0.0001 })
      const refusal = await it.refusal(callerWith(), 51)
      expect(refusal).toMatchObject({ errorName: 'request_above_rate_limit' })
      expect(refusal?.message).toContain(
        'in organization org_1 on cost per day: Limit 0.0001 USD, Requested 0.000102 USD for 51 tokens (1 in the messages, up to 50 in the answer)',
      )
    })

    test('does not concern models without a price, even when it is used up', async () => {
      const it = await openPriced()
      const caller = callerWith({ costPerDayMicros: 10 })
      const running = await it.begin(caller, 5)
      running.end(5)
      expect(await it.refusal(caller, 1)).toMatchObject({ errorName: 'insufficient_quota' })
      it.setPrice(null)
      expect(await it.refusal(caller, 1_000)).toBeNull()
    })

    test('is charged at the price of the admission, whatever the price is at the end', async () => {
      const it = await openPriced()
      const caller = callerWith({ costPerDayMicros: 1_000 })
      const running = await it.begin(caller, 50)
      it.setPrice({ promptMicros: 9_000_000, cachedMicros: 9_000_000, completionMicros: 9_000_000 })
      const later = await it.begin(caller, 50)
      running.end(50)
      later.end(50)
      expect((await it.usageSnapshots(caller))[0]?.uses.costPerDayMicros?.used).toBe(100 + 450)
      expect(it.rows.map(({ settlement }) => settlement?.costMicros)).toEqual([100, 450])
    })

    test('limits what is reserved at first without a maximum, and what is added later', async () => {
      const it = await openPriced()
      const caller = callerWith({ costPerMonthMicros: 100 })
      const running = await it.begin(caller, 500, 2)
      expect(running.tokens).toBe(50)
      running.end(10)
      const other = await it.begin(caller, 20)
      expect(await other.extend(15)).toBe(15)
      expect(await other.extend(15)).toBe(5)
      expect(await other.extend(15)).toBe(0)
    })

    test('that is partly used limits what is reserved to what is left of it', async () => {
      const it = await openPriced()
      const caller = callerWith({ costPerDayMicros: 200 })
      ;(await it.begin(caller, 13)).end(13)
      expect(await it.refusal(caller, 100)).toMatchObject({ errorName: 'insufficient_quota' })
      const open = await it.begin(caller, 1_024, 2)
      expect([open.tokens, open.reservedMicros]).toEqual([87, 174])
      open.end(87)
      await expect(it.begin(caller, 1_024, 2)).rejects.toMatchObject({ errorName: 'insufficient_quota' })
    })

    test('that was lowered below what is used does not shorten answers that cost nothing', async () => {
      const it = await openPriced()
      ;(await it.begin(callerWith({ costPerDayMicros: 200 }), 50)).end(50)
      it.setPrice({ promptMicros: 0, cachedMicros: 0, completionMicros: 0 })
      const open = await it.begin(callerWith({ costPerDayMicros: 10 }), 1_024, 2)
      expect(open.tokens).toBe(1_024)
    })

    test('is read again from the ledger after a restart, also for the month', async () => {
      const it = await openPriced()
      const caller = callerWith({ costPerMonthMicros: 100 })
      const running = await it.begin(caller, 45)
      running.end(45)
      it.clock.advance(86_400_000)
      await it.restart()
      expect(await it.refusal(caller, 6)).toMatchObject({ errorName: 'insufficient_quota' })
      expect(await it.refusal(caller, 5)).toBeNull()
    })
  })

  const micros = fc.integer({ min: 0, max: 3_000_000 })
  const request = fc.record({
    tokens: fc.integer({ min: 1, max: 120 }),
    extensions: fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 4 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    turns: fc.nat(5),
    /** The answer costs at least as much as the prompt: the harness settles all tokens as those of a prompt. */
    price: fc.record({ prompt: micros, more: micros }),
  })

  test('admissions, extensions, settlements and changes of price in any order never exceed a budget in money', async () => {
    let refused = 0
    let extended = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 40, maxLength: 40 }),
        fc.integer({ min: 100, max: 1_500 }),
        fc.integer({ min: 100, max: 1_500 }),
        async (requests, costPerDayMicros, monthMicros) => {
          const it = await openPriced({ costPerMonth: monthMicros / 1_000_000 })
          it.onArrival(async () => void (await setImmediate()))
          const caller = callerWith({ costPerDayMicros })
          const look = async (): Promise<void> => {
            const [ofKey, , ofServer] = await it.usageSnapshots(caller)
            expect(ofKey?.uses.costPerDayMicros?.used).toBeLessThanOrEqual(costPerDayMicros)
            expect(ofServer?.uses.costPerMonthMicros?.used).toBeLessThanOrEqual(monthMicros)
          }
          await Promise.all(
            requests.map(async ({ tokens, extensions, part, turns, price: { prompt, more } }) => {
              for (let turn = 0; turn < turns; turn += 1) await setImmediate()
              it.setPrice({ promptMicros: prompt, cachedMicros: 0, completionMicros: prompt + more })
              try {
                const begun = await it.begin(caller, tokens, 1)
                let own = begun.tokens
                for (const wanted of extensions) {
                  const added = await begun.extend(wanted)
                  own += added
                  extended += added
                  await look()
                }
                begun.end(Math.floor(own * part))
              } catch (error) {
                if (!(error instanceof ApiError)) throw error
                refused += 1
              }
              await look()
            }),
          )
          const settled = it.rows.reduce((sum, { settlement }) => sum + (settlement?.costMicros ?? 0), 0)
          const [ofKey, , ofServer] = await it.usageSnapshots(caller)
          expect(ofKey?.uses.costPerDayMicros?.used).toBe(settled)
          expect(ofServer?.uses.costPerMonthMicros?.used).toBe(settled)
        },
      ),
      { numRuns: part(25) },
    )
    expect(refused).toBeGreaterThan(part(50))
    expect(extended).toBeGreaterThan(part(500))
  })
})
