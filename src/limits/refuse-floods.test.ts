import { expect, test } from 'vitest'
import { callerWith, noLimits, openLimiter } from '../../test/harness/open-limiter.ts'
import { createLimiter } from './create-limiter.ts'
import type { Caller } from './limiter-contract.ts'
import { refuseFloods } from './refuse-floods.ts'

/** A limiter whose organisation has used up its only request of the minute; `asked` counts what reached it. */
const openFlooded = async () => {
  let asked = 0
  const it = await openLimiter(
    { refusedRequestsPerMinute: 10, organisationRefusedRequestsPerMinute: 15, organisationRequestsPerMinute: 1 },
    undefined,
    async (dependencies) => {
      const limiter = await createLimiter(dependencies)
      const counted: typeof limiter = {
        ...limiter,
        precheck(...precheck) {
          asked += 1
          return limiter.precheck(...precheck)
        },
      }
      return refuseFloods(counted, dependencies)
    },
  )
  await it.begin(callerWith(), 1)
  asked = 0
  const refused = (caller: Caller) =>
    it.precheck(caller).then(
      () => null,
      (error) => error,
    )
  const flood = async (count: number, caller = callerWith()): Promise<string[]> => {
    const names = new Set<string>()
    for (let sent = 0; sent < count; sent += 1) names.add((await refused(caller))?.errorName ?? 'admitted')
    return [...names]
  }
  return { clock: it.clock, flood, refused, asked: () => asked }
}

const withKey = (id: string): Caller => ({ ...callerWith(), key: { id, limits: callerWith().key?.limits ?? noLimits } })

test('a key far beyond its refused requests no longer reaches the limiter, and its connections are closed', async () => {
  const { clock, flood, refused, asked } = await openFlooded()
  expect(await flood(20)).toEqual(['rate_limit_requests'])
  clock.advance(10_000)
  expect(await flood(1000)).toEqual(['too_many_refused'])
  expect(asked()).toBe(20)
  expect((await refused(callerWith())).options).toMatchObject({
    headers: { connection: 'close' },
    retryAfterMs: 50_000,
    limit: { scope: 'key', limit: 10 },
  })
  // What the key sent in vain does not count, neither for it nor for the other keys of its organisation.
  expect(await flood(1, withKey('key_2'))).toEqual(['rate_limit_requests'])
  clock.advance(50_000)
  expect(await flood(1)).toEqual(['admitted'])
})

test('keys of one organisation that share a flood are refused together', async () => {
  const { flood, asked } = await openFlooded()
  for (const key of ['key_1', 'key_2', 'key_3']) expect(await flood(10, withKey(key))).toEqual(['rate_limit_requests'])
  expect(await flood(10, withKey('key_4'))).toEqual(['too_many_refused'])
  expect(asked()).toBe(30)
})
