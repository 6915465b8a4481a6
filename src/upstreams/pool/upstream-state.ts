import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Upstream } from '../contract.ts'
import { type BreakerState, createCircuitBreaker, type OpenReason, type UpstreamOutcome } from './circuit-breaker.ts'

/** How an upstream is doing, for the operator. */
export type UpstreamHealth = {
  state: BreakerState
  reason: OpenReason | null
  /** Until requests are sent to it again; 0 unless it is open. */
  pauseMs: number
  inFlight: number
  outstandingTokens: number
}

/** One request at an upstream. Only the first outcome counts, apart from `began`. */
export type UpstreamUse = {
  end(outcome: UpstreamOutcome): void
  /** Frees its place; without an `end` it counts as aborted. */
  release(): void
}

/** What all pools that use an upstream share: how much it has to do, and whether it works. */
export interface UpstreamState {
  readonly inFlight: number
  /** Prompt and longest answer of every request in flight. */
  readonly outstandingTokens: number
  health(): UpstreamHealth
  /** Since the last request ended or began to be answered, or since it was created. */
  idleMs(): number
  /** Pauses it for what checks have found. */
  pause(reason: 'failures' | 'canary' | 'key_refused'): void
  /** Ends any pause: the operator has found that it works, or has changed it. Returns whether there was one. */
  resume(): boolean
  /** A canary was answered as it should be. */
  passed(): void
  /** Whether the circuit breaker lets a request through. */
  isUsable(): boolean
  isFull(): boolean
  use(tokens: number): UpstreamUse
  /** Called whenever a place is freed or the circuit breaker changes. Returns what ends it. */
  subscribe(onChange: () => void): () => void
  /** Its settings have changed. */
  update(upstream: Upstream): void
  close(): void
}

type StateOptions = {
  upstream: Upstream
  /** Whether it answers at all. Never rejects. */
  probe(upstream: Upstream, signal: AbortSignal): Promise<boolean>
  /** Whether it answers a canary as it should. Never rejects. */
  canary(upstream: Upstream, signal: AbortSignal): Promise<boolean>
  clock: Clock
  log: Log
  random: () => number
}

export const createUpstreamState = ({ probe, canary, clock, log, random, ...options }: StateOptions): UpstreamState => {
  let breaker = createCircuitBreaker(random)
  const subscribers = new Set<() => void>()
  const closing = new AbortController()
  let { upstream } = options
  let cancelTimer = (): void => {}
  let probeDueMs: number | null = null
  /** The pause is over, and a probe decides whether a request may try it. */
  let isProbing = false
  let inFlight = 0
  let outstandingTokens = 0
  let known: BreakerState = 'closed'
  let usedMs = clock.monotonicMs()

  const changed = (): void => {
    for (const onChange of [...subscribers]) onChange()
    // The next time, another pool that uses the upstream is the first to take a place.
    const [first] = subscribers
    if (first === undefined || subscribers.size === 1) return
    subscribers.delete(first)
    subscribers.add(first)
  }
  /** Returns whether it has changed. */
  const reportState = (): boolean => {
    const nowMs = clock.monotonicMs()
    const state = breaker.state(nowMs)
    const pauseMs = breaker.remainingMs(nowMs)
    if (state === 'open') probeAfter(pauseMs, nowMs)
    if (state === known) return false
    known = state
    const { name } = upstream
    if (state === 'closed') log.info('upstream_recovered', { upstream: name })
    if (state === 'open')
      log.warn('upstream_paused', { upstream: name, reason: breaker.reason, pauseMs: Math.round(pauseMs) })
    return true
  }
  const probeAfter = (pauseMs: number, nowMs: number): void => {
    const dueMs = Math.ceil(nowMs + pauseMs)
    if (dueMs === probeDueMs) return
    probeDueMs = dueMs
    cancelTimer()
    cancelTimer = clock.after(dueMs - nowMs, () => void probeOnce())
  }
  /** At the end of a pause, so that no request has to find out that the upstream is still gone. */
  const probeOnce = async (): Promise<void> => {
    if (closing.signal.aborted || breaker.state(clock.monotonicMs()) === 'closed') return
    known = 'half_open'
    isProbing = true
    const isCanary = breaker.reason === 'canary'
    const isAlive = await (isCanary ? canary : probe)(upstream, closing.signal)
    isProbing = false
    if (closing.signal.aborted) return
    breaker.probed(isAlive, clock.monotonicMs())
    if (isCanary && isAlive) breaker.passed()
    reportState()
    changed()
  }
  /** What was found until now says nothing any more. */
  const reset = (): void => {
    cancelTimer()
    probeDueMs = null
    breaker = createCircuitBreaker(random)
    known = 'closed'
  }
  return {
    get inFlight() {
      return inFlight
    },
    get outstandingTokens() {
      return outstandingTokens
    },
    health() {
      const nowMs = clock.monotonicMs()
      const pauseMs = breaker.remainingMs(nowMs)
      return { state: breaker.state(nowMs), reason: breaker.reason, pauseMs, inFlight, outstandingTokens }
    },
    idleMs: () => (inFlight > 0 ? 0 : clock.monotonicMs() - usedMs),
    pause(reason) {
      breaker.trip(reason, clock.monotonicMs())
      reportState()
      changed()
    },
    resume() {
      const wasPaused = breaker.state(clock.monotonicMs()) !== 'closed'
      reset()
      if (wasPaused) log.info('upstream_recovered', { upstream: upstream.name })
      changed()
      return wasPaused
    },
    passed() {
      breaker.passed()
      if (reportState()) changed()
    },
    isUsable: () => !isProbing && breaker.isUsable(clock.monotonicMs()),
    isFull: () => inFlight >= upstream.maxInFlight,
    use(tokens) {
      const report = breaker.start(clock.monotonicMs())
      let isReleased = false
      inFlight += 1
      outstandingTokens += tokens
      const end = (outcome: UpstreamOutcome): void => {
        usedMs = clock.monotonicMs()
        report(outcome, usedMs)
        if (reportState()) changed()
      }
      return {
        end,
        release() {
          if (isReleased) return
          isReleased = true
          end({ type: 'aborted' })
          inFlight -= 1
          outstandingTokens -= tokens
          changed()
        },
      }
    },
    subscribe(onChange) {
      subscribers.add(onChange)
      return () => subscribers.delete(onChange)
    },
    update(next) {
      // What was wrong with the old address or key says nothing about the new one.
      if (addressOf(next) !== addressOf(upstream)) reset()
      upstream = next
      changed()
    },
    close() {
      cancelTimer()
      closing.abort()
    },
  }
}

const addressOf = ({ baseUrl, key, tls }: Upstream): string => JSON.stringify([baseUrl, key, tls?.id])
