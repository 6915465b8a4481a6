import { expect, test } from 'vitest'
import { callerWith } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter) => {
  test('the headers report requests and tokens of the limit with the least remaining, and its scope', async () => {
    const it = await openLimiter({
      organisationRequestsPerMinute: 3,
      organisationTokensPerMinute: 500,
      tokensPerMinute: 90,
    })
    const caller = callerWith({ requestsPerMinute: 10, tokensPerMinute: 500 })
    const first = await it.begin(caller, 30)
    expect(first.headers()).toEqual({
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '2',
      'x-ratelimit-reset-requests': '1m0s',
      'x-ratelimit-scope-requests': 'organisation',
      'x-ratelimit-limit-tokens': '90',
      'x-ratelimit-remaining-tokens': '60',
      'x-ratelimit-reset-tokens': '1m0s',
      'x-ratelimit-scope-tokens': 'server',
    })
    expect(first.applied).toEqual({
      requests: { scope: 'organisation', limit: 3, remaining: 2 },
      tokens: { scope: 'server', limit: 90, remaining: 60 },
    })
    expect(first.headers(10)).toMatchObject({
      'x-ratelimit-remaining-tokens': '80',
      'x-ratelimit-reset-tokens': '1m0s',
    })
    it.clock.advance(1_500)
    first.end(10)
    expect(first.headers(10)).toEqual(first.headers())
    it.clock.advance(2_250)
    expect(first.headers()).toMatchObject({
      'x-ratelimit-reset-requests': '56.25s',
      'x-ratelimit-remaining-tokens': '80',
      'x-ratelimit-reset-tokens': '57.75s',
    })
  })

  test('on a tie the narrowest scope is named', async () => {
    const it = await openLimiter({ tokensPerMinute: 100, organisationTokensPerMinute: 100 })
    const begun = await it.begin(callerWith({ tokensPerMinute: 100 }), 30)
    expect(begun.headers()['x-ratelimit-scope-tokens']).toBe('key')
    const other = await it.begin({ organisationId: 'org_1', key: null }, 30)
    expect(other.headers()['x-ratelimit-scope-tokens']).toBe('organisation')
  })

  test('a refusal has them too, and the remaining amount is never negative', async () => {
    const it = await openLimiter()
    const caller = callerWith({ tokensPerMinute: 100 })
    const begun = await it.begin(caller, 90)
    // An engine that cannot count beforehand may say more than was held for it.
    begun.end(120)
    expect((await it.refusal(caller, 20))?.options.headers).toMatchObject({ 'x-ratelimit-remaining-tokens': '0' })
  })

  test('without limits there are no headers', async () => {
    const it = await openLimiter()
    expect((await it.begin(callerWith({ requestsInFlight: 2, tokensPerDay: 1_000 }), 30)).headers()).toEqual({})
  })
})
