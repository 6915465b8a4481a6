import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import type { Upstream } from '../contract.ts'
import type { UpstreamOutcome } from './circuit-breaker.ts'
import { UpstreamState, type UpstreamUse } from './upstream-state.ts'

const upstream: Upstream = {
  name: 'one',
  baseUrl: 'http://127.0.0.1/v1',
  key: null,
  tls: null,
  kind: 'openai',
  apiVersion: null,
  fields: [],
  maxInFlight: 4,
  timeouts: { connectMs: 1, firstByteMs: 1, silenceMs: 1 },
  probeIntervalMs: 0,
  canary: null,
  builtInTools: [],
  isDraining: false,
  models: [],
}

const outcomes: UpstreamOutcome[] = [
  { type: 'answered' },
  { type: 'began' },
  { type: 'aborted' },
  { type: 'failed' },
  { type: 'failed' },
  { type: 'busy', pauseMs: null },
  { type: 'busy', pauseMs: 0 },
  { type: 'busy', pauseMs: 7_000 },
  { type: 'key_refused' },
]
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('use' as const), tokens: fc.nat(100) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        which: fc.nat(9),
        outcome: fc.constantFrom(...outcomes),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat(9) }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 700, 1_000, 60_000) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('probed' as const), isAlive: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('pause' as const),
        reason: fc.constantFrom('failures' as const, 'canary' as const, 'key_refused' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('passed' as const) }) },
  ),
  { maxLength: 60, size: 'max' },
)

/** An upstream whose probes are answered on request. */
const openTried = () => {
  const clock = createManualClock()
  const { log } = createLogCatcher({ clock, format: 'json' })
  const probes: ((isAlive: boolean) => void)[] = []
  const probe = (): Promise<boolean> => new Promise((resolve) => probes.push(resolve))
  const state = new UpstreamState({ upstream, probe, canary: probe, clock, log, random: () => 0.5 })
  return { clock, state, probes }
}

const take = async (probes: ((isAlive: boolean) => void)[], isAlive: boolean): Promise<void> => {
  for (const answer of probes.splice(0)) answer(isAlive)
  await new Promise<void>((resolve) => setImmediate(resolve))
}

test('whatever happened to an upstream, it is used again once it works, and never while it is paused', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { clock, state, probes } = openTried()
      const uses: { use: UpstreamUse; tokens: number }[] = []
      for (const step of all) {
        if (step.do === 'use') uses.push({ use: state.use(step.tokens), tokens: step.tokens })
        else if (step.do === 'wait') clock.advance(step.ms)
        else if (step.do === 'probed') await take(probes, step.isAlive)
        else if (step.do === 'pause') state.pause(step.reason)
        else if (step.do === 'resume') state.resume()
        else if (step.do === 'passed') state.passed()
        else if (step.do === 'end') uses[step.which % Math.max(1, uses.length)]?.use.end(step.outcome)
        else for (const { use } of uses.splice(step.which % Math.max(1, uses.length), 1)) use.release()
        const { state: seen, pauseMs, inFlight, outstandingTokens } = state.health()
        expect([inFlight, outstandingTokens]).toEqual([uses.length, uses.reduce((sum, { tokens }) => sum + tokens, 0)])
        if (seen === 'open') expect([state.isUsable(), pauseMs > 0]).toEqual([false, true])
        if (seen === 'closed') expect(state.isUsable()).toBe(true)
      }
      for (const { use } of uses) use.release()
      // Longer than any pause that an upstream may ask for.
      clock.advance(600_000)
      await take(probes, true)
      expect(state.isUsable()).toBe(true)
      const last = state.use(1)
      last.end({ type: 'answered' })
      last.release()
      expect(state.health()).toMatchObject({
        state: 'closed',
        reason: null,
        pauseMs: 0,
        inFlight: 0,
        outstandingTokens: 0,
      })
      expect(clock.pending()).toBe(0)
    }),
    { numRuns: 300 },
  )
})

test('an upstream that the operator resumes while it is probed is used at once, whatever the probe finds', async () => {
  const { clock, state, probes } = openTried()
  state.pause('failures')
  clock.advance(60_000)
  expect([probes.length, state.isUsable()]).toEqual([1, false])
  expect(state.resume()).toBe(true)
  expect(state.isUsable()).toBe(true)
  await take(probes, false)
  expect([state.health().state, state.isUsable()]).toEqual(['closed', true])
})
