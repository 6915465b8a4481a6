import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../src/base/api-error.ts'
import { type Caller, noLimits } from '../../harness/open-limiter.ts'
import { eachLimiter } from './each-limiter.ts'

eachLimiter((openLimiter, part) => {
  /** Small limits and long pauses, so that every limit is met. Null: none. */
  const upTo = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 2 })
  const limits = fc.record({
    requestsPerMinute: upTo(12),
    tokensPerMinute: upTo(300),
    requestsInFlight: upTo(5),
    tokensPerDay: upTo(800),
    tokensPerMonth: upTo(1_600),
  })
  const minuteLimits = fc.record({ requestsPerMinute: upTo(8), tokensPerMinute: upTo(200) })

  const step = fc.record({
    pauseMs: fc.oneof(
      fc.constant(0),
      fc.nat(500),
      fc.nat(20_000),
      fc.nat(280_000).map((quarters) => quarters / 4),
    ),
    key: fc.nat(3),
    tokens: fc.integer({ min: 1, max: 120 }),
    /** Which of the running ones ends afterwards, if it is there, and with how much of what was held for it. */
    ends: fc.option(fc.record({ which: fc.nat(5), part: fc.double({ min: 0, max: 1, noNaN: true }) })),
    setByMs: fc.oneof(
      { weight: 9, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -9e7, max: 9e7 }) },
    ),
  })
  const steps = fc.array(step, { minLength: 1, maxLength: 60, size: 'max' })

  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
  type LimitsOfAll = {
    key: Partial<typeof noLimits>
    organisation: Partial<typeof noLimits>
    server: Partial<typeof noLimits>
  }
  type Open = Awaited<ReturnType<typeof openLimiter>>
  type Begun = Awaited<ReturnType<Open['begin']>>
  type Passed = { caller: Caller; fromMs: number; untilMs: number; held: number; used: number }

  /** Two keys each of two organisations. */
  const callers = (key: LimitsOfAll['key']): Caller[] =>
    [0, 1, 2, 3].map((index) => ({
      organisationId: `org_${index % 2}`,
      key: { id: `key_${index}`, limits: { ...noLimits, ...key } },
    }))

  const orZero = (limits: Partial<typeof noLimits>) =>
    Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, value ?? 0]))

  const open = async ({ organisation, server }: LimitsOfAll): Promise<Open> => {
    const it = await openLimiter(orZero(server))
    for (const id of ['org_0', 'org_1']) it.give(id, organisation)
    return it
  }

  /** Does what the steps say; `afterEach` hears of everything that has passed so far, and of a refusal. */
  const play = async (
    it: Open,
    key: LimitsOfAll['key'],
    steps: readonly Step[],
    afterEach?: (seen: {
      caller: Caller
      tokens: number
      refusal: ApiError | null
      running: Begun[]
    }) => Promise<boolean>,
  ): Promise<Passed[]> => {
    const passed: Passed[] = []
    const running: (Begun & { passed: Passed })[] = []
    const all = callers(key)
    for (const { pauseMs, key: index, tokens, ends, setByMs } of steps) {
      it.clock.advance(pauseMs)
      it.clock.set(setByMs)
      const caller = all[index]
      if (caller === undefined) continue
      let refusal: ApiError | null = null
      try {
        const begun = await it.begin(caller, tokens)
        const fromMs = it.clock.monotonicMs()
        const entry = { caller, fromMs, untilMs: Number.POSITIVE_INFINITY, held: tokens, used: tokens }
        passed.push(entry)
        running.push({ ...begun, passed: entry })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refusal = error
      }
      if (afterEach !== undefined && !(await afterEach({ caller, tokens, refusal, running }))) break
      const [ended] = ends === null ? [] : running.splice(ends.which, 1)
      if (ended === undefined || ends === null) continue
      const used = Math.floor(ended.tokens * ends.part)
      ended.end(used)
      Object.assign(ended.passed, { untilMs: it.clock.monotonicMs(), used })
    }
    return passed
  }

  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

  /** Those whom a limit of this scope counts together. */
  const groups = (scope: 'key' | 'organisation' | 'server', passed: readonly Passed[]): Passed[][] => {
    const name = ({ caller }: Passed) =>
      scope === 'key' ? (caller.key?.id ?? '') : scope === 'organisation' ? caller.organisationId : ''
    return [...Map.groupBy(passed, name).values()]
  }

  const scopes = ['key', 'organisation', 'server'] as const
  const ofAll = <Value>(value: fc.Arbitrary<Value>) => fc.record({ key: value, organisation: value, server: value })

  test('no 60 seconds admit more requests or tokens than the limits allow', async () => {
    await fc.assert(
      fc.asyncProperty(ofAll(limits), steps, async (limitsOfAll, steps) => {
        const it = await open(limitsOfAll)
        const passed = await play(it, limitsOfAll.key, steps)
        for (const scope of scopes)
          for (const group of groups(scope, passed)) {
            const { requestsPerMinute, tokensPerMinute, requestsInFlight } = { ...noLimits, ...limitsOfAll[scope] }
            for (const { fromMs } of group) {
              const begun = group.filter((one) => one.fromMs >= fromMs && one.fromMs < fromMs + 60_000)
              expect(begun.length).toBeLessThanOrEqual(requestsPerMinute ?? Number.POSITIVE_INFINITY)
              const atOnce = group.filter((one) => one.fromMs <= fromMs && one.untilMs > fromMs)
              expect(atOnce.length).toBeLessThanOrEqual(requestsInFlight ?? Number.POSITIVE_INFINITY)
            }
            // The fullest windows begin where a request ends. Whatever ran at some time in one may have sent all it did there.
            for (const { untilMs } of group) {
              const flowed = group.filter((one) => one.untilMs >= untilMs && one.fromMs < untilMs + 60_000)
              expect(sum(flowed.map(({ used }) => used))).toBeLessThanOrEqual(
                tokensPerMinute ?? Number.POSITIVE_INFINITY,
              )
            }
          }
      }),
      { numRuns: part(100) },
    )
  })

  test('no day or month exceeds its budget, however the wall clock is set', async () => {
    await fc.assert(
      fc.asyncProperty(ofAll(limits), steps, async (limitsOfAll, steps) => {
        const it = await open(limitsOfAll)
        await play(it, limitsOfAll.key, steps)
        for (const scope of scopes)
          for (const [period, max] of [
            [1, limitsOfAll[scope].tokensPerDay],
            [100, limitsOfAll[scope].tokensPerMonth],
          ] as const) {
            const whose = ({ keyId, organisationId }: { keyId: string | null; organisationId: string }) =>
              scope === 'key' ? keyId : scope === 'organisation' ? organisationId : ''
            const settled = it.rows.filter(({ settlement }) => settlement !== null)
            const sums = Map.groupBy(
              settled,
              (row) => `${whose(row)} ${Math.floor((row.settlement?.day ?? 0) / period)}`,
            )
            for (const rows of sums.values())
              expect(sum(rows.map(({ settlement }) => settlement?.promptTokens ?? 0))).toBeLessThanOrEqual(
                max ?? Number.POSITIVE_INFINITY,
              )
          }
      }),
      { numRuns: part(100) },
    )
  })

  test('after the stated wait the same request is admitted, unless running requests still use up the limit', async () => {
    let waits = 0
    await fc.assert(
      fc.asyncProperty(ofAll(limits), steps, async (limitsOfAll, steps) => {
        const it = await open(limitsOfAll)
        await play(it, limitsOfAll.key, steps, async ({ caller, tokens, refusal, running }) => {
          const waitMs = refusal?.options.retryAfterMs
          if (waitMs === undefined) return true
          expect(waitMs).toBeGreaterThan(0)
          expect(waitMs).toBeLessThanOrEqual(60_000)
          it.clock.advance(waitMs)
          waits += 1
          if ((await it.refusal(caller, tokens)) === null) return false
          expect(running.length).toBeGreaterThan(0)
          for (const one of running) one.end(0)
          expect(await it.refusal(caller, tokens)).toBeNull()
          return false
        })
      }),
      { numRuns: part(100) },
    )
    expect(waits).toBeGreaterThan(part(20))
  })

  test('and not a millisecond earlier, if nothing is running', async () => {
    let waits = 0
    const ending = steps.map((all) =>
      all.map((one) => ({ ...one, setByMs: 0, ends: { which: 0, part: one.ends?.part ?? 1 } })),
    )
    await fc.assert(
      fc.asyncProperty(ofAll(minuteLimits), ending, async (limitsOfAll, steps) => {
        const it = await open(limitsOfAll)
        await play(it, limitsOfAll.key, steps, async ({ caller, tokens, refusal }) => {
          const waitMs = refusal?.options.retryAfterMs
          if (waitMs === undefined) return true
          waits += 1
          it.clock.advance(waitMs - 1)
          expect(await it.refusal(caller, tokens)).toMatchObject({ options: { retryAfterMs: 1 } })
          it.clock.advance(1)
          expect(await it.refusal(caller, tokens)).toBeNull()
          return false
        })
      }),
      { numRuns: part(100) },
    )
    expect(waits).toBeGreaterThan(part(20))
  })

  test('exactly the tokens that the headers state as remaining are admitted', async () => {
    const tokenLimits = fc.record({ tokensPerMinute: upTo(300) })
    await fc.assert(
      fc.asyncProperty(ofAll(tokenLimits), steps, async (limitsOfAll, steps) => {
        const it = await open(limitsOfAll)
        await play(it, limitsOfAll.key, steps, async ({ caller, refusal, running }) => {
          const headers = refusal?.options.headers ?? running.at(-1)?.headers()
          const remaining = headers?.['x-ratelimit-remaining-tokens']
          const isLimited = scopes.some((scope) => (limitsOfAll[scope].tokensPerMinute ?? null) !== null)
          expect(remaining !== undefined).toBe(isLimited)
          if (remaining === undefined) return false
          expect(Number(remaining)).toBeGreaterThanOrEqual(0)
          expect(await it.refusal(caller, Number(remaining) + 1)).not.toBeNull()
          if (Number(remaining) > 0) expect(await it.refusal(caller, Number(remaining))).toBeNull()
          return true
        })
      }),
      { numRuns: part(100) },
    )
  })

  test('and so are requests', async () => {
    const requestLimits = fc.record({ requestsPerMinute: upTo(20) })
    await fc.assert(
      fc.asyncProperty(ofAll(requestLimits), steps, async (limitsOfAll, steps) => {
        const it = await open(limitsOfAll)
        let last: { caller: Caller; remaining: number } | null = null
        await play(it, limitsOfAll.key, steps, async ({ caller, refusal, running }) => {
          const headers = refusal?.options.headers ?? running.at(-1)?.headers()
          const remaining = headers?.['x-ratelimit-remaining-requests']
          last = remaining === undefined ? null : { caller, remaining: Number(remaining) }
          return true
        })
        if (last === null) return
        const { caller, remaining } = last as { caller: Caller; remaining: number }
        for (let count = 0; count < remaining; count += 1) expect(await it.refusal(caller, 1)).toBeNull()
        expect(await it.refusal(caller, 1)).not.toBeNull()
      }),
      { numRuns: part(100) },
    )
  })
})
