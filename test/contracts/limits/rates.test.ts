import { describe, expect, test } from 'vitest'
import { callerWith } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter) => {
  const anyone = callerWith()

  describe('requests per minute', () => {
    test('a request above the limit is refused, and admitted once the first is a minute old', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerMinute: 2 })
      await it.begin(caller, 10)
      it.clock.advance(20_000)
      await it.begin(caller, 10)
      it.clock.advance(10_000)
      const refusal = await it.refusal(caller, 10)
      expect(refusal).toMatchObject({ errorName: 'rate_limit_requests', options: { retryAfterMs: 30_000 } })
      expect(refusal?.message).toBe(
        'Rate limit reached for helix-v1 in key key_1 on requests per min (RPM): Limit 2, Used 2, Requested 1. Please try again in 30s.',
      )
      it.clock.advance(29_999)
      expect(await it.refusal(caller, 10)).not.toBeNull()
      it.clock.advance(1)
      expect(await it.refusal(caller, 10)).toBeNull()
    })

    test('a refused request does not count', async () => {
      const it = await openLimiter()
      const caller = callerWith({ requestsPerMinute: 1 })
      await it.begin(caller, 10)
      for (let count = 0; count < 10; count += 1) {
        it.clock.advance(5_900)
        expect(await it.refusal(caller, 10)).not.toBeNull()
      }
      it.clock.advance(1_000)
      expect(await it.refusal(caller, 10)).toBeNull()
    })
  })

  test('a request that generates nothing counts per minute, and as in flight until it is answered', async () => {
    const it = await openLimiter()
    const caller = callerWith({ requestsPerMinute: 2, requestsInFlight: 1, tokensPerMinute: 10 })
    const pending = await it.precheck(caller, null, true)
    pending.admitWithoutTokens()
    await expect(it.precheck(caller)).rejects.toMatchObject({ errorName: 'rate_limit_in_flight' })
    pending.release()
    pending.release()
    // It used no tokens, and what fails after it was admitted is not a refusal.
    pending.refuse()
    const running = await it.begin(caller, 10)
    running.end(10)
    await expect(it.precheck(caller)).rejects.toMatchObject({ errorName: 'rate_limit_requests' })
    it.clock.advance(60_000)
    expect(await it.refusal(caller, 10)).toBeNull()
  })

  test('a refused request that took much CPU time counts as several', async () => {
    const it = await openLimiter({ refusedRequestsPerMinute: 4 })
    const caller = callerWith({})
    ;(await it.precheck(caller)).refuse(5)
    ;(await it.precheck(caller)).refuse(0.1)
    await expect(it.precheck(caller)).rejects.toMatchObject({
      errorName: 'too_many_refused',
      options: { retryAfterMs: 60_000 },
    })
    it.clock.advance(60_000)
    ;(await it.precheck(caller)).release()
  })

  test('a request that is checked and admitted in one step is refused for the same reasons', async () => {
    const it = await openLimiter({ refusedRequestsPerMinute: 2 })
    const caller = callerWith({ requestsPerMinute: 3, requestsInFlight: 1, tokensPerMinute: 100 })
    const running = await it.checkAndAdmit(caller, 60)
    await expect(it.checkAndAdmit(caller, 10)).rejects.toMatchObject({ errorName: 'rate_limit_in_flight' })
    running.end(60)
    await expect(it.checkAndAdmit(caller, 50)).rejects.toMatchObject({ errorName: 'rate_limit_tokens' })
    for (let count = 0; count < 2; count += 1) (await it.checkAndAdmit(caller, 10)).end(10)
    await expect(it.checkAndAdmit(caller, 10)).rejects.toMatchObject({ errorName: 'rate_limit_requests' })
    it.clock.advance(60_000)
    for (let count = 0; count < 2; count += 1) (await it.precheck(caller)).refuse()
    await expect(it.checkAndAdmit(caller, 10)).rejects.toMatchObject({ errorName: 'too_many_refused' })
  })

  describe('tokens per minute', () => {
    test('running requests count in full, ended ones with what they used, for a minute', async () => {
      const it = await openLimiter()
      const caller = callerWith({ tokensPerMinute: 100 })
      const running = await it.begin(caller, 80)
      expect((await it.refusal(caller, 21))?.errorName).toBe('rate_limit_tokens')
      it.clock.advance(5_000)
      running.end(30)
      expect(await it.refusal(caller, 70)).toBeNull()
      const refusal = await it.refusal(caller, 71)
      expect(refusal).toMatchObject({ errorName: 'rate_limit_tokens', options: { retryAfterMs: 60_000 } })
      expect(refusal?.message).toContain(
        'on tokens per min (TPM): Limit 100, Used 30, Requested 71. Please try again in 1m0s.',
      )
    })

    test('settling a request twice changes nothing', async () => {
      const it = await openLimiter()
      const caller = callerWith({ tokensPerMinute: 100 })
      const running = await it.begin(caller, 80)
      running.end(30)
      running.end(50)
      expect(await it.refusal(caller, 70)).toBeNull()
      expect(await it.refusal(caller, 71)).not.toBeNull()
    })

    test('a request that can never fit gets an error that says so, and not to retry', async () => {
      const it = await openLimiter()
      const refusal = await it.refusal(callerWith({ tokensPerMinute: 100 }), 101)
      expect(refusal).toMatchObject({ errorName: 'request_above_rate_limit', status: 429, type: 'tokens' })
      expect(refusal?.options).toMatchObject({ shouldRetry: false })
      expect(refusal?.options.retryAfterMs).toBeUndefined()
      expect(refusal?.message).toBe(
        'Request too large for helix-v1 in key key_1 on tokens per min (TPM): Limit 100, Requested 101 (1 in the messages, up to 100 in the answer). Lower max_completion_tokens, n or the length of the messages.',
      )
    })

    test('of several limits that a request never fits, the smallest is named', async () => {
      const it = await openLimiter({ tokensPerMinute: 50 })
      const refusal = await it.refusal(callerWith({ tokensPerMinute: 100, tokensPerDay: 70 }), 101)
      expect(refusal?.message).toContain('on this server on tokens per min (TPM): Limit 50')
    })
  })

  test('if only running requests use up the limit, the advice is to retry in a second', async () => {
    const it = await openLimiter()
    const caller = callerWith({ requestsInFlight: 1, tokensPerMinute: 100, tokensPerDay: 100 })
    const running = await it.begin(caller, 60)
    expect(await it.refusal(caller, 10)).toMatchObject({
      errorName: 'rate_limit_in_flight',
      options: { retryAfterMs: 1_000 },
    })
    const other = callerWith({ tokensPerDay: 100 })
    const held = await it.refusal(other, 50)
    expect(held).toMatchObject({ errorName: 'rate_limit_tokens', options: { retryAfterMs: 1_000 } })
    expect(held?.message).toContain(
      'on tokens per day (TPD): Limit 100, Used 60, Requested 50. Please try again in 1s.',
    )
    running.end(0)
    expect(await it.refusal(other, 50)).toBeNull()
  })

  describe('scopes of limits', () => {
    test('an organisation has the limits of the settings, unless it was given its own', async () => {
      const it = await openLimiter({ organisationTokensPerMinute: 100 })
      expect((await it.refusal(anyone, 101))?.message).toContain('in organization org_1')
      it.give('org_1', { tokensPerMinute: 200 })
      it.forget('org_1')
      expect(await it.refusal(anyone, 200)).toBeNull()
      expect((await it.refusal(anyone, 201))?.message).toContain('Limit 200')
      it.give('org_1', { tokensPerMinute: 0 })
      it.forget('org_1')
      expect(await it.refusal(anyone, 1_000_000)).toBeNull()
    })

    test('a change by another process takes effect within a second', async () => {
      const it = await openLimiter()
      expect(await it.refusal(anyone, 101)).toBeNull()
      it.give('org_1', { tokensPerMinute: 100 })
      it.clock.advance(999)
      expect(await it.refusal(anyone, 101)).toBeNull()
      it.clock.advance(1)
      expect(await it.refusal(anyone, 101)).not.toBeNull()
    })

    test('limits that were read before a change and arrive after it are neither shared nor cached', async () => {
      const it = await openLimiter()
      const late = Promise.withResolvers<void>()
      it.onArrival(() => late.promise)
      const early = it.refusal(anyone, 101)
      it.give('org_1', { tokensPerMinute: 100 })
      it.forget('org_1')
      it.onArrival(async () => {})
      expect(await it.refusal(anyone, 101)).not.toBeNull()
      late.resolve()
      expect(await early).toBeNull()
      expect(await it.refusal(anyone, 101)).not.toBeNull()
    })

    test('all keys of an organisation share its limits, and all organisations those of the server', async () => {
      const it = await openLimiter({ organisationTokensPerMinute: 100, tokensPerMinute: 150 })
      const caller = (organisationId: string, keyId: string) => ({
        ...anyone,
        organisationId,
        key: anyone.key && { ...anyone.key, id: keyId },
      })
      ;(await it.begin(caller('org_1', 'key_1'), 60)).end(60)
      expect((await it.refusal(caller('org_1', 'key_2'), 60))?.message).toContain('in organization org_1')
      expect((await it.refusal({ organisationId: 'org_1', key: null }, 60))?.message).toContain('in organization org_1')
      ;(await it.begin(caller('org_2', 'key_3'), 60)).end(60)
      expect((await it.refusal(caller('org_3', 'key_4'), 60))?.message).toContain('on this server')
    })

    test('the limit that takes longest to clear is named, the narrowest on a tie', async () => {
      const it = await openLimiter({ tokensPerMinute: 100, organisationRequestsPerMinute: 1 })
      const caller = callerWith({ requestsPerMinute: 1 })
      const running = await it.begin(caller, 10)
      expect((await it.refusal(caller, 10))?.message).toContain('in key key_1 on requests per min')
      it.clock.advance(10_000)
      running.end(95)
      const refusal = await it.refusal(caller, 10)
      expect(refusal?.message).toContain('on this server on tokens per min')
      expect(refusal?.options.retryAfterMs).toBe(60_000)
    })
  })

  describe('usage snapshots', () => {
    test('every limit that is set, with its usage and reset time', async () => {
      const it = await openLimiter({ organisationRequestsInFlight: 4, tokensPerMonth: 1_000 })
      const caller = callerWith({ requestsPerMinute: 5, tokensPerMinute: 100, tokensPerDay: 500 })
      ;(await it.begin(caller, 30)).end(20)
      it.clock.advance(10_000)
      const start = Date.UTC(2001, 10, 15)
      const nextDay = Date.UTC(2001, 10, 16)
      const nextMonth = Date.UTC(2001, 11, 1)
      expect(await it.usageSnapshots(caller)).toEqual([
        {
          scope: 'key',
          uses: {
            requestsPerMinute: { limit: 5, used: 1, resetsAt: start + 60_000 },
            tokensPerMinute: { limit: 100, used: 20, resetsAt: start + 60_000 },
            tokensPerDay: { limit: 500, used: 20, resetsAt: nextDay },
          },
        },
        { scope: 'organisation', uses: { requestsInFlight: { limit: 4, used: 0, resetsAt: start + 10_000 } } },
        { scope: 'server', uses: { tokensPerMonth: { limit: 1_000, used: 20, resetsAt: nextMonth } } },
      ])
      await it.begin(caller, 30)
      const [ofKey, ofOrganisation] = await it.usageSnapshots(caller)
      expect(ofKey?.uses.tokensPerMinute).toEqual({ limit: 100, used: 50, resetsAt: null })
      expect(ofKey?.uses.tokensPerDay).toEqual({ limit: 500, used: 50, resetsAt: nextDay })
      expect(ofOrganisation?.uses.requestsInFlight).toEqual({ limit: 4, used: 1, resetsAt: null })
      expect((await it.usageSnapshots({ ...caller, key: null })).map(({ scope }) => scope)).toEqual([
        'organisation',
        'server',
      ])
    })
  })
})
