import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/base/api-error.ts'
import { callerWith } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter, part) => {
  describe('a reservation that can be extended', () => {
    test('starts with what the narrowest limit ever allows, and is refused only if the minimum is too much', async () => {
      const it = await openLimiter({ tokensPerMinute: 1_000 })
      const caller = callerWith({ tokensPerDay: 50 })
      const begun = await it.begin(caller, 500, 2)
      expect(begun.tokens).toBe(50)
      begun.end(10)
      expect(await it.refusal(caller, 51)).toMatchObject({ errorName: 'request_above_rate_limit' })
      await expect(it.begin(caller, 500, 51)).rejects.toMatchObject({ errorName: 'request_above_rate_limit' })
    })

    test('grows by what all limits allow, counts while it runs, and releases the rest', async () => {
      const it = await openLimiter({ organisationTokensPerMinute: 100, tokensPerMonth: 90 })
      const caller = callerWith()
      const one = await it.begin(caller, 20)
      const other = await it.begin(caller, 20)
      expect(await one.extend(30)).toBe(30)
      expect(await it.refusal(caller, 30)).toMatchObject({ errorName: 'rate_limit_tokens' })
      expect(await other.extend(30)).toBe(20)
      expect(await one.extend(1)).toBe(0)
      one.end(35)
      expect(await other.extend(30)).toBe(15)
      other.end(55)
      expect(await other.extend(1)).toBe(0)
      const [, organisation, server] = await it.usageSnapshots(caller)
      expect(organisation?.uses.tokensPerMinute?.used).toBe(90)
      expect(server?.uses.tokensPerMonth?.used).toBe(90)
    })

    test('follows a limit that is lowered, and a day that begins, while it runs', async () => {
      const it = await openLimiter()
      it.give('org_1', { tokensPerDay: 100 })
      const caller = callerWith()
      const before = await it.begin(caller, 60)
      before.end(60)
      const running = await it.begin(caller, 40)
      expect(await running.extend(10)).toBe(0)
      it.clock.advance(86_400_000)
      expect(await running.extend(10)).toBe(10)
      it.give('org_1', { tokensPerDay: 45 })
      it.forget('org_1')
      expect(await running.extend(10)).toBe(0)
    })
  })

  const request = fc.record({
    tokens: fc.integer({ min: 1, max: 120 }),
    extensions: fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 5 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    turns: fc.nat(6),
    /** Whether its body turns out to be wrong. */
    isValid: fc.boolean(),
  })

  test('prechecks, admissions, extensions and settlements in any order never exceed a limit', async () => {
    let extended = 0
    // Not in each run: those that come first may all be invalid.
    let admittedInAll = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 60, maxLength: 60 }),
        fc.integer({ min: 100, max: 900 }),
        async (requests, tokensPerDay) => {
          const it = await openLimiter({ organisationTokensPerMinute: 500, tokensPerDay })
          it.onArrival(async () => void (await setImmediate()))
          const caller = callerWith({ requestsInFlight: 7, requestsPerMinute: 30 })
          let held = 0
          let settled = 0
          let inFlight = 0
          let entering = 0
          let admitted = 0
          const look = (): void => {
            expect(held + settled).toBeLessThanOrEqual(Math.min(500, tokensPerDay))
            expect(inFlight).toBeLessThanOrEqual(7)
            expect(entering + admitted).toBeLessThanOrEqual(30)
          }
          const pause = async (turns: number): Promise<void> => {
            for (let turn = 0; turn < turns; turn += 1) await setImmediate()
          }
          const run = async ({
            tokens,
            extensions,
            part,
            turns,
            isValid,
          }: (typeof requests)[number]): Promise<void> => {
            const pending = await it.precheck(caller)
            inFlight += 1
            entering += 1
            look()
            await pause(turns)
            if (!isValid) {
              inFlight -= 1
              entering -= 1
              return pending.refuse()
            }
            const begun = await pending.admit(tokens, 1).catch((error: unknown) => {
              inFlight -= 1
              entering -= 1
              pending.refuse()
              throw error
            })
            entering -= 1
            admitted += 1
            let own = begun.tokens
            held += own
            look()
            for (const wanted of extensions) {
              await pause(turns)
              const added = await begun.extend(wanted)
              own += added
              held += added
              extended += added
              look()
            }
            const used = Math.floor(own * part)
            held -= own
            settled += used
            inFlight -= 1
            begun.end(used)
            look()
          }
          await Promise.all(
            requests.map(async (one, index) => {
              await pause(index % 13)
              await run(one).catch((error: unknown) => {
                if (!(error instanceof ApiError)) throw error
              })
            }),
          )
          admittedInAll += admitted
          const [ofKey, ofOrganisation, ofServer] = await it.usageSnapshots(caller)
          expect(ofKey?.uses).toMatchObject({ requestsInFlight: { used: 0 }, requestsPerMinute: { used: admitted } })
          expect(ofOrganisation?.uses.tokensPerMinute?.used).toBe(settled)
          expect(ofServer?.uses.tokensPerDay?.used).toBe(settled)
        },
      ),
      { numRuns: part(40) },
    )
    expect(admittedInAll).toBeGreaterThan(0)
    expect(extended).toBeGreaterThan(part(1_000))
  })
})
