import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../src/base/api-error.ts'
import { callerWith } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter, part) => {
  test('five hundred concurrent requests never exceed a limit, and settle no more than the budget', async () => {
    const request = fc.record({
      tokens: fc.integer({ min: 1, max: 200 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      turns: fc.nat(20),
    })
    const crowd = fc.array(request, { minLength: 500, maxLength: 500 })
    await fc.assert(
      fc.asyncProperty(crowd, fc.integer({ min: 200, max: 1_500 }), async (requests, tokensPerDay) => {
        const it = await openLimiter({ organisationTokensPerMinute: 1_000, tokensPerDay })
        it.onArrival(async () => void (await setImmediate()))
        const caller = callerWith({ requestsInFlight: 30, requestsPerMinute: 100 })
        let held = 0
        let settled = 0
        let running = 0
        let letIn = 0
        const look = (): void => {
          expect(held + settled).toBeLessThanOrEqual(Math.min(1_000, tokensPerDay))
          expect(running).toBeLessThanOrEqual(30)
          expect(letIn).toBeLessThanOrEqual(100)
        }
        const errors = await Promise.all(
          requests.map(async ({ tokens, part, turns }) => {
            // Some come at once, some while others end.
            for (let turn = 0; turn < turns; turn += 1) await setImmediate()
            try {
              const begun = await it.begin(caller, tokens)
              held += tokens
              running += 1
              letIn += 1
              look()
              for (let turn = 0; turn < turns; turn += 1) await setImmediate()
              const used = Math.floor(tokens * part)
              held -= tokens
              running -= 1
              settled += used
              begun.end(used)
              look()
              return null
            } catch (error) {
              if (!(error instanceof ApiError)) throw error
              return error.status
            }
          }),
        )
        expect(letIn).toBeGreaterThan(0)
        expect(errors.filter((status) => status === 429).length).toBe(500 - letIn)
        const [, ofOrganisation, ofServer] = await it.usageSnapshots(caller)
        expect(ofOrganisation?.uses.tokensPerMinute?.used).toBe(settled)
        expect(ofServer?.uses.tokensPerDay?.used).toBe(settled)
      }),
      { numRuns: part(20) },
    )
  })
})
