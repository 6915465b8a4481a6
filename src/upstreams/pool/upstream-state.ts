import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { PauseReason } from '../../config/upstream-names.ts'
import type { Upstream } from '../contract.ts'
import { type BreakerState, CircuitBreaker, type UpstreamOutcome } from './circuit-breaker.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import { createFirstTokenTrend, type FirstTokenTrend } from './first-token-trend.ts'
import { createMeasuredSpeed, type MeasuredSpeed } from './measured-speed.ts'

/** How an upstream is doing, for the operator. */
export type UpstreamHealth = {
  state: BreakerState
  reason: PauseReason | null
  /** Until requests are sent to it again; 0 unless it is open. */
  pauseMs: number
  inFlight: number
  outstandingTokens: number
  /** How many requests it gets at once, as far as is known now. */
  limit: number
}

/**
 * Why it is shown as paused. That requests try it again says nothing about a quota: it stays a problem until one is answered.
 */
export const shownPause = ({ state, reason }: Pick<UpstreamHealth, 'state' | 'reason'>): PauseReason | null =>
  state === 'open' || (state === 'half_open' && reason === 'quota_exceeded') ? reason : null

/** One request at an upstream. Only the first outcome counts, apart from `began`. */
export type UpstreamUse = {
  end(outcome: UpstreamOutcome): void
  /** It has answered completely, with so many tokens. */
  answered(tokens: number): void
  /** Frees its place; without an `end` it counts as aborted. */
  release(): void
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
  /** See `createConcurrencyLimit`. */
  reservedSlots?: number | undefined
}

/** What the operator sees as its state, and when it is found out whether it works again. docs/upstreams.md draws it. */
type Phase =
  /** It gets requests. */
  | { type: 'working' }
  /** It gets none. At the end of the pause it is probed, so that no request has to find out that it is still gone. */
  | { type: 'paused'; probeAtMs: number; cancelProbe(): void }
  /** The pause is over, and a probe or a canary decides whether a request may try it. */
  | { type: 'probing' }
  /** One request at a time tries it. */
  | { type: 'tried' }

/** What is measured of each model of an upstream. */
export type ModelMeasures = { speed: MeasuredSpeed; firstTokens: FirstTokenTrend }

/** More models of one upstream are not remembered. */
const maxMeasured = 1000

/** What all pools that use an upstream share: how much it has to do, and whether it works. */
export class UpstreamState {
  readonly #options: StateOptions
  readonly #subscribers = new Set<() => void>()
  readonly #closing = new AbortController()
  #upstream: Upstream
  #breaker: CircuitBreaker
  #phase: Phase = { type: 'working' }
  readonly #limit: ConcurrencyLimit
  /** By model. */
  readonly #measures = new Map<string, ModelMeasures>()
  #inFlight = 0
  #outstandingTokens = 0
  #usedMs: number

  constructor(options: StateOptions) {
    this.#options = options
    this.#upstream = options.upstream
    this.#breaker = new CircuitBreaker(options.random)
    this.#limit = createConcurrencyLimit(options.upstream.maxInFlight, options.reservedSlots)
    this.#usedMs = options.clock.monotonicMs()
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Prompt and longest answer of every request in flight. */
  get outstandingTokens(): number {
    return this.#outstandingTokens
  }

  health(): UpstreamHealth {
    const nowMs = this.#nowMs()
    return {
      state: this.#breaker.state(nowMs),
      reason: this.#breaker.reason,
      pauseMs: this.#breaker.remainingMs(nowMs),
      inFlight: this.#inFlight,
      outstandingTokens: this.#outstandingTokens,
      limit: this.#limit.current,
    }
  }

  /** Since the last request ended or began to be answered, or since it was created. */
  idleMs(): number {
    return this.#inFlight > 0 ? 0 : this.#nowMs() - this.#usedMs
  }

  /** Pauses it for what checks have found. */
  pause(reason: 'failures' | 'canary' | 'key_refused'): void {
    this.#breaker.trip(reason, this.#nowMs())
    this.#follow()
    this.#notify()
  }

  /** Ends any pause: the operator has found that it works, or has changed it. Returns whether there was one. */
  resume(): boolean {
    const wasPaused = this.#breaker.state(this.#nowMs()) !== 'closed'
    this.#reset()
    if (wasPaused) this.#options.log.info('upstream_recovered', { upstream: this.#upstream.name })
    this.#notify()
    return wasPaused
  }

  /** A canary was answered as it should be. */
  passed(): void {
    this.#breaker.passed()
    if (this.#follow()) this.#notify()
  }

  /** Whether the circuit breaker lets a request through. */
  isUsable(): boolean {
    return this.#phase.type !== 'probing' && this.#breaker.isUsable(this.#nowMs())
  }

  /** How many requests it gets at once: at most `maxInFlight`, fewer if it has shown that these are too many. */
  get limit(): number {
    return this.#limit.current
  }

  /** What its answers with a model have shown. */
  measuresOf(model: string): ModelMeasures {
    const known = this.#measures.get(model)
    if (known !== undefined) return known
    const measures = { speed: createMeasuredSpeed(this.#options.clock), firstTokens: createFirstTokenTrend() }
    if (this.#measures.size < maxMeasured) this.#measures.set(model, measures)
    return measures
  }

  isFull(): boolean {
    return this.#inFlight >= this.#limit.current
  }

  /** `measures`: of the model that is asked; absent if the request is none of a caller's. */
  use(tokens: number, measures?: ModelMeasures): UpstreamUse {
    const startedMs = this.#nowMs()
    const report = this.#breaker.start(startedMs)
    let isReleased = false
    let began: { ms: number; isWhole: boolean } | null = null
    this.#inFlight += 1
    this.#outstandingTokens += tokens
    const limited = this.#limit.start(this.#inFlight)
    const end = (outcome: UpstreamOutcome): void => {
      this.#usedMs = this.#nowMs()
      report(outcome, this.#usedMs)
      if (outcome.type === 'busy') limited.refused()
      if (outcome.type === 'began' && began === null) {
        began = { ms: this.#usedMs - startedMs, isWhole: outcome.isWhole ?? false }
        if (!began.isWhole && measures !== undefined) {
          measures.speed.began(began.ms)
          if (measures.firstTokens.add(began.ms)) limited.slowed()
        }
      }
      if (this.#follow()) this.#notify()
    }
    return {
      end,
      answered: (answerTokens) => {
        limited.answered()
        if (began === null || measures === undefined) return
        if (began.isWhole) measures.speed.cameWhole(answerTokens, began.ms)
        else measures.speed.answered(answerTokens, this.#nowMs() - startedMs - began.ms)
      },
      release: () => {
        if (isReleased) return
        isReleased = true
        end({ type: 'aborted' })
        this.#inFlight -= 1
        this.#outstandingTokens -= tokens
        this.#notify()
      },
    }
  }

  /** Called whenever a place is freed or the circuit breaker changes. Returns what ends it. */
  subscribe(onChange: () => void): () => void {
    this.#subscribers.add(onChange)
    return () => this.#subscribers.delete(onChange)
  }

  /** Its settings have changed. */
  update(next: Upstream): void {
    // What was wrong with the old address or key says nothing about the new one.
    if (addressText(next) !== addressText(this.#upstream)) this.#reset()
    this.#upstream = next
    this.#limit.setMax(next.maxInFlight)
    this.#notify()
  }

  close(): void {
    if (this.#phase.type === 'paused') this.#phase.cancelProbe()
    this.#closing.abort()
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs()
  }

  /** The phase follows from the circuit breaker, whatever has changed that. Returns whether it is another now. */
  #follow(): boolean {
    const nowMs = this.#nowMs()
    const { type } = this.#phase
    switch (this.#breaker.state(nowMs)) {
      case 'closed':
        if (type === 'working') return false
        this.#enter({ type: 'working' })
        this.#options.log.info('upstream_recovered', { upstream: this.#upstream.name })
        return true
      case 'open':
        return this.#pauseUntil(this.#breaker.remainingMs(nowMs), nowMs)
      case 'half_open':
        // At the end of a pause, the probe comes first.
        if (type !== 'working') return false
        this.#enter({ type: 'tried' })
        return true
    }
  }

  #pauseUntil(pauseMs: number, nowMs: number): boolean {
    const { clock, log } = this.#options
    const probeAtMs = Math.ceil(nowMs + pauseMs)
    const before = this.#phase
    if (before.type === 'paused' && before.probeAtMs === probeAtMs) return false
    const cancelProbe = clock.after(probeAtMs - nowMs, () => void this.#probe())
    this.#enter({ type: 'paused', probeAtMs, cancelProbe })
    if (before.type === 'paused') return false
    const { reason } = this.#breaker
    log.warn('upstream_paused', { upstream: this.#upstream.name, reason, pauseMs: Math.round(pauseMs) })
    return true
  }

  async #probe(): Promise<void> {
    const { probe, canary } = this.#options
    const { signal } = this.#closing
    const probing: Phase = { type: 'probing' }
    this.#enter(probing)
    const isCanary = this.#breaker.reason === 'canary'
    const isAlive = await (isCanary ? canary : probe)(this.#upstream, signal)
    // What has happened in the meantime says more than the probe.
    if (signal.aborted || this.#phase !== probing) return
    this.#breaker.probed(isAlive, this.#nowMs())
    if (isCanary && isAlive) this.#breaker.passed()
    if (!this.#follow()) this.#enter({ type: 'tried' })
    this.#notify()
  }

  /** What was found until now says nothing any more. */
  #reset(): void {
    this.#breaker = new CircuitBreaker(this.#options.random)
    this.#enter({ type: 'working' })
  }

  #enter(phase: Phase): void {
    if (this.#phase.type === 'paused') this.#phase.cancelProbe()
    this.#phase = phase
  }

  #notify(): void {
    for (const onChange of [...this.#subscribers]) onChange()
    // The next time, another pool that uses the upstream is the first to take a place.
    const [first] = this.#subscribers
    if (first === undefined || this.#subscribers.size === 1) return
    this.#subscribers.delete(first)
    this.#subscribers.add(first)
  }
}

const addressText = ({ baseUrl, key, tls }: Upstream): string => JSON.stringify([baseUrl, key, tls?.id])
