import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CircuitBreaker, type UpstreamOutcome } from './circuit-breaker.ts'
import { shownPause } from './upstream-state.ts'

const failed: UpstreamOutcome = { type: 'failed' }
const answered: UpstreamOutcome = { type: 'answered' }
const latest = () => 1 - 2 ** -30
const report = (breaker: CircuitBreaker, outcome: UpstreamOutcome, nowMs = 0): void =>
  breaker.start(nowMs)(outcome, nowMs)
const repeat = (times: number, action: () => void): void => {
  for (let index = 0; index < times; index += 1) action()
}

test('three failures in a row open it, and one request at a time tries it once the pause is over', () => {
  const breaker = new CircuitBreaker(latest)
  repeat(2, () => report(breaker, failed))
  report(breaker, answered)
  repeat(2, () => report(breaker, failed))
  expect(breaker.state(0)).toBe('closed')
  report(breaker, failed)
  expect(breaker.state(0)).toBe('open')
  expect(breaker.isUsable(999)).toBe(false)
  expect(breaker.state(1000)).toBe('half_open')
  const end = breaker.start(1000)
  expect(breaker.isUsable(1000)).toBe(false)
  end(answered, 1500)
  expect(breaker.state(1500)).toBe('closed')
})

test('the pauses double up to a minute, and are short again after five answers in a row', () => {
  const breaker = new CircuitBreaker(latest)
  let nowMs = 0
  const pauses: number[] = []
  repeat(3, () => report(breaker, failed))
  repeat(9, () => {
    const pauseMs = Math.round(breaker.remainingMs(nowMs))
    pauses.push(pauseMs)
    nowMs += pauseMs
    report(breaker, failed, nowMs)
  })
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  nowMs += 60_000
  repeat(5, () => report(breaker, answered, nowMs))
  repeat(3, () => report(breaker, failed, nowMs))
  expect(Math.round(breaker.remainingMs(nowMs))).toBe(1000)
})

test('a share of failures opens it even if answers are between them', () => {
  const breaker = new CircuitBreaker(latest)
  repeat(4, () => {
    report(breaker, answered)
    report(breaker, failed)
  })
  expect(breaker.state(0)).toBe('closed')
  report(breaker, answered)
  report(breaker, failed)
  expect(breaker.reason).toBe('failures')
})

test('failures more than half a minute ago are forgotten', () => {
  const breaker = new CircuitBreaker(latest)
  for (let nowMs = 0; nowMs < 300_000; nowMs += 4000) report(breaker, nowMs % 8000 === 0 ? failed : answered, nowMs)
  expect(breaker.state(300_000)).toBe('closed')
})

test('an upstream that asks us to wait gets nothing for that long, or for a second', () => {
  const breaker = new CircuitBreaker(latest)
  report(breaker, { type: 'busy', pauseMs: 7000 })
  expect([breaker.reason, breaker.remainingMs(0)]).toEqual(['busy', 7000])
  report(breaker, { type: 'busy', pauseMs: null }, 7000)
  expect(breaker.remainingMs(7000)).toBe(1000)
  report(breaker, { type: 'busy', pauseMs: 10 ** 12 }, 8000)
  expect(breaker.remainingMs(8000)).toBe(600_000)
})

test('a refused key closes the upstream for a minute at once, and again if a probe fails', () => {
  const breaker = new CircuitBreaker(latest)
  report(breaker, { type: 'key_refused' })
  expect([breaker.reason, breaker.remainingMs(0)]).toEqual(['key_refused', 60_000])
  breaker.probed(false, 60_000)
  expect([breaker.reason, breaker.remainingMs(60_000)]).toEqual(['key_refused', 60_000])
})

test('a request that began before it opened changes nothing when it ends', () => {
  const breaker = new CircuitBreaker(latest)
  const early = [breaker.start(0), breaker.start(0)]
  repeat(3, () => report(breaker, failed))
  early[0]?.(answered, 10)
  expect(breaker.state(10)).toBe('open')
  early[1]?.(failed, 1000)
  expect(breaker.state(1000)).toBe('half_open')
})

test('a request that was aborted leaves the trial to the next one', () => {
  const breaker = new CircuitBreaker(latest)
  repeat(3, () => report(breaker, failed))
  breaker.start(1000)({ type: 'aborted' }, 1100)
  expect([breaker.state(1100), breaker.isUsable(1100)]).toEqual(['half_open', true])
})

test('a trial is over when its answer begins, and its failure still counts', () => {
  const breaker = new CircuitBreaker(latest)
  repeat(3, () => report(breaker, failed))
  const end = breaker.start(1000)
  end({ type: 'began' }, 1100)
  expect(breaker.state(1100)).toBe('closed')
  repeat(2, () => report(breaker, failed, 1200))
  end(failed, 1300)
  expect(breaker.state(1300)).toBe('open')
})

test('a probe that succeeds ends the pause, one that fails begins a longer one', () => {
  const breaker = new CircuitBreaker(latest)
  repeat(3, () => report(breaker, failed))
  breaker.probed(false, 500)
  expect(Math.round(breaker.remainingMs(500))).toBe(2000)
  breaker.probed(true, 600)
  expect(breaker.state(600)).toBe('half_open')
})

test('only a canary that is answered well undoes what a canary has found', () => {
  const breaker = new CircuitBreaker(latest)
  breaker.trip('canary', 0)
  report(breaker, answered, 100)
  expect([breaker.state(100), breaker.reason]).toEqual(['open', 'canary'])
  breaker.start(1000)({ type: 'began' }, 1000)
  report(breaker, failed, 1100)
  expect([breaker.state(1100), breaker.reason]).toEqual(['open', 'canary'])
  breaker.passed()
  expect([breaker.state(1100), breaker.reason]).toEqual(['closed', null])
})

test('whatever happens, pauses are bounded, it never tries twice at once, and it recovers', () => {
  const step = fc.record({
    outcome: fc.constantFrom<UpstreamOutcome>(failed, answered, { type: 'aborted' }, { type: 'busy', pauseMs: 3000 }),
    waitMs: fc.nat({ max: 5000 }),
    endsLater: fc.boolean(),
    jitter: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let jitter = 0
      const breaker = new CircuitBreaker(() => jitter)
      let nowMs = 0
      const running: ((outcome: UpstreamOutcome, nowMs: number) => void)[] = []
      for (const { outcome, waitMs, endsLater, jitter: next } of steps) {
        jitter = next
        nowMs += waitMs
        expect(breaker.remainingMs(nowMs)).toBeLessThanOrEqual(60_000)
        if (!breaker.isUsable(nowMs)) {
          running.pop()?.(outcome, nowMs)
          continue
        }
        const isTrial = breaker.state(nowMs) === 'half_open'
        const end = breaker.start(nowMs)
        if (isTrial) expect(breaker.isUsable(nowMs)).toBe(false)
        if (endsLater) running.push(end)
        else end(outcome, nowMs)
      }
      for (const end of running) end({ type: 'aborted' }, nowMs)
      nowMs += 60_000
      expect(breaker.isUsable(nowMs)).toBe(true)
      report(breaker, answered, nowMs)
      expect(breaker.state(nowMs)).toBe('closed')
    }),
  )
})

test('a quota that is used up stays a problem until an answer shows that there is one again', () => {
  const breaker = new CircuitBreaker(latest)
  const shown = (nowMs: number) => shownPause({ state: breaker.state(nowMs), reason: breaker.reason })
  report(breaker, { type: 'quota_exceeded' })
  expect(breaker.isUsable(59_999)).toBe(false)
  expect(breaker.isUsable(60_000)).toBe(true)
  expect(shown(60_000)).toBe('quota_exceeded')
  report(breaker, { type: 'quota_exceeded' }, 60_000)
  expect(breaker.state(119_999)).toBe('open')
  report(breaker, answered, 120_000)
  expect([breaker.state(120_000), shown(120_000)]).toEqual(['closed', null])
})
