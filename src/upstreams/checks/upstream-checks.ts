import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Upstream } from '../contract.ts'
import { probeIdleUpstream } from '../pool/probe-upstream.ts'
import { canaryModel, runCanary } from '../run-canary.ts'
import type { UpstreamProblem } from '../upstream-fault.ts'
import type { UpstreamSet } from '../upstream-set.ts'
import { repeatCheck } from './repeat-check.ts'

/** Checks the upstreams in use without waiting for requests, so that failures are known before a caller meets them. */
export interface UpstreamChecks {
  close(): void
}

type ChecksOptions = {
  set: Pick<UpstreamSet, 'list' | 'stateOf' | 'onChange'>
  /** How the last canary of an upstream went. */
  onCanary(name: string, problem: UpstreamProblem | null): void
  clock: Clock
  log: Log
  random?: () => number
}

type CheckContext = Required<ChecksOptions> & { signal: AbortSignal }

export const openUpstreamChecks = (options: ChecksOptions): UpstreamChecks => {
  const running = new Map<string, { identity: string; end(): void }>()
  const closing = new AbortController()
  const context: CheckContext = { random: Math.random, ...options, signal: closing.signal }
  const { set } = options
  const update = (): void => {
    const wanted = new Map(set.list().map((upstream) => [upstream.name, upstream]))
    for (const [name, { identity, end }] of running) {
      const upstream = wanted.get(name)
      if (upstream !== undefined && upstreamIdentity(upstream) === identity) continue
      end()
      running.delete(name)
    }
    for (const [name, upstream] of wanted)
      if (!running.has(name))
        running.set(name, { identity: upstreamIdentity(upstream), end: startChecks(upstream, context) })
  }
  set.onChange(() => {
    if (!closing.signal.aborted) update()
  })
  update()
  return {
    close() {
      closing.abort()
      for (const { end } of running.values()) end()
      running.clear()
    },
  }
}

/** The returned function ends them. */
const startChecks = (upstream: Upstream, context: CheckContext): (() => void) => {
  const { probeIntervalMs, canary } = upstream
  const ends: (() => void)[] = []
  if (probeIntervalMs > 0) ends.push(startProbes(upstream, context))
  if (canary !== null) ends.push(startCanaries(upstream, canary.intervalMs, context))
  return () => {
    for (const end of ends) end()
  }
}

const startProbes = (upstream: Upstream, context: CheckContext): (() => void) => {
  const { set, clock, random } = context
  return repeatCheck({
    ...{ intervalMs: upstream.probeIntervalMs, clock, random },
    check: () => probe(upstream, context),
    onFailing: () => set.stateOf(upstream.name)?.pause('failures'),
  })
}

/** Whether it is alive; null if that needs no probe. */
const probe = async (upstream: Upstream, { set, log, signal }: CheckContext): Promise<boolean | null> => {
  const { name, probeIntervalMs } = upstream
  const state = set.stateOf(name)
  // A paused one is probed when its pause ends, and requests show how one that is used is doing.
  if (state === null || state.health().state !== 'closed' || state.idleMs() < probeIntervalMs) return null
  const isAlive = await probeIdleUpstream(upstream, signal)
  if (!isAlive && !signal.aborted) log.warn('upstream_probe_failed', { upstream: name })
  return isAlive
}

type CanaryResult = UpstreamProblem | 'passed' | 'skipped'

const startCanaries = (upstream: Upstream, intervalMs: number, context: CheckContext): (() => void) => {
  const { set, clock, random } = context
  let last: CanaryResult = 'skipped'
  return repeatCheck({
    ...{ intervalMs, clock, random },
    async check() {
      last = await sendCanary(upstream, context)
      return last === 'skipped' ? null : last === 'passed'
    },
    onFailing() {
      const isKeyRefused = typeof last === 'object' && last.fault === 'key_refused'
      set.stateOf(upstream.name)?.pause(isKeyRefused ? 'key_refused' : 'canary')
    },
  })
}

const sendCanary = async (upstream: Upstream, { set, onCanary, signal }: CheckContext): Promise<CanaryResult> => {
  const { name } = upstream
  const state = set.stateOf(name)
  const isDraining = set.list().some((other) => other.name === name && other.isDraining)
  if (state === null || isDraining || state.isFull() || state.health().state === 'open') return 'skipped'
  const { end, release } = state.use(0)
  const problem = await runCanary(upstream, signal)
  // How it counts is decided by the canary's own rule.
  end({ type: 'aborted' })
  release()
  if (signal.aborted || problem?.fault === 'busy') return 'skipped'
  onCanary(name, problem)
  if (problem === null) state.passed()
  return problem ?? 'passed'
}

/** Everything that checks depend on, except for what they look up each time. */
const upstreamIdentity = (upstream: Upstream): string => {
  const { baseUrl, key, kind, apiVersion, probeIntervalMs, canary } = upstream
  const { upstreamName, capabilities } = canaryModel(upstream) ?? {}
  return JSON.stringify([baseUrl, key, kind, apiVersion, probeIntervalMs, canary, upstreamName, capabilities])
}
