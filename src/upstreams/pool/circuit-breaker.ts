import type { PauseReason } from '../../config/upstream-names.ts'
import { createFailureRate } from './failure-rate.ts'

/** `half_open`: the pause is over, and one request at a time tries whether the upstream works again. */
export type BreakerState = 'closed' | 'open' | 'half_open'
/** How one request to an upstream ended. Aborted requests and those that were refused for what they contain prove nothing bad. */
export type UpstreamOutcome =
  | { type: 'answered' }
  /** Its answer has begun: a trial need not wait for the end. The outcome follows. `isWhole`: the end came with the beginning. */
  | { type: 'began'; isWhole?: boolean }
  | { type: 'aborted' }
  | { type: 'failed' }
  | { type: 'busy'; pauseMs: number | null }
  | { type: 'key_refused' | 'quota_exceeded' }

const maxFailuresInRow = 3
const leastRated = 10
const maxFailureShare = 0.5
const firstPauseMs = 1000
const longestPauseMs = 60_000
const busyPauseMs = 1000
const longestBusyPauseMs = 600_000
/** Only the operator can change what is wrong. */
const refusedPauseMs = 60_000
/** Answers in a row after which the next pause is short again. */
const answersToForget = 5

/** docs/upstreams.md draws it. */
type State =
  /** Requests are sent to it. */
  | { type: 'closed' }
  /** It gets none, unless there is no other upstream. */
  | { type: 'open'; reason: PauseReason; untilMs: number }
  /** The pause is over: the next request tries it. */
  | { type: 'half_open'; reason: PauseReason }
  /** A request tries it, and no other does meanwhile. */
  | { type: 'trying'; reason: PauseReason }

/**
 * Decides whether an upstream gets requests. Opens after failures in a row or a high share of failures, for a time that
 * doubles with each opening. It has neither timers nor a clock: the caller passes the monotonic time.
 */
export class CircuitBreaker {
  readonly #random: () => number
  readonly #rate = createFailureRate()
  #state: State = { type: 'closed' }
  #openings = 0
  #failuresInRow = 0
  #answersInRow = 0
  /** Requests that started before it was opened or closed the last time say nothing about it now. */
  #generation = 0

  constructor(random: () => number) {
    this.#random = random
  }

  state(nowMs: number): BreakerState {
    const { type } = this.#at(nowMs)
    return type === 'trying' ? 'half_open' : type
  }

  /** Null while it is closed. */
  get reason(): PauseReason | null {
    return this.#state.type === 'closed' ? null : this.#state.reason
  }

  /** How much of the pause is left; 0 unless it is open. */
  remainingMs(nowMs: number): number {
    const state = this.#at(nowMs)
    return state.type === 'open' ? state.untilMs - nowMs : 0
  }

  /** Whether a request may start: it is closed, or half-open and no other request is trying. */
  isUsable(nowMs: number): boolean {
    const { type } = this.#at(nowMs)
    return type === 'closed' || type === 'half_open'
  }

  /** A request starts. The returned function reports how it ended; only the first call counts. */
  start(startedMs: number): (outcome: UpstreamOutcome, nowMs: number) => void {
    const state = this.#at(startedMs)
    const isTrial = state.type === 'half_open'
    if (isTrial) this.#state = { type: 'trying', reason: state.reason }
    let startedIn = this.#generation
    let hasEnded = false
    return (outcome, nowMs) => {
      if (hasEnded) return
      if (outcome.type !== 'began') {
        hasEnded = true
        this.#ended(outcome, { isCurrent: startedIn === this.#generation, isTrial }, nowMs)
      } else if (isTrial && startedIn === this.#generation && this.reason !== 'canary') {
        this.#close()
        startedIn = this.#generation
      }
    }
  }

  /** A probe of an open upstream: a success ends the pause, a failure begins a longer one. */
  probed(isSuccess: boolean, nowMs: number): void {
    const state = this.#at(nowMs)
    if (state.type === 'closed') return
    if (!isSuccess) {
      // The probe is refused for the same reason: the operator should read that, and nobody should be sent there.
      if (state.reason === 'key_refused') this.#open('key_refused', refusedPauseMs, nowMs)
      else this.#openAfterFailure(state.reason, nowMs)
    } else if (state.type === 'open') this.#state = { type: 'half_open', reason: state.reason }
  }

  /** Opens it for what checks have found, whatever requests say. */
  trip(reason: 'failures' | 'canary' | 'key_refused', nowMs: number): void {
    if (reason === 'key_refused') this.#open(reason, refusedPauseMs, nowMs)
    else this.#openAfterFailure(reason === 'canary' ? reason : this.reason, nowMs)
  }

  /** A canary was answered as it should be: closes it. */
  passed(): void {
    if (this.#state.type !== 'closed') this.#close()
  }

  /** With the passage of time, which ends pauses. */
  #at(nowMs: number): State {
    if (this.#state.type === 'open' && nowMs >= this.#state.untilMs)
      this.#state = { type: 'half_open', reason: this.#state.reason }
    return this.#state
  }

  #ended(outcome: UpstreamOutcome, started: { isCurrent: boolean; isTrial: boolean }, nowMs: number): void {
    if (outcome.type === 'key_refused' || outcome.type === 'quota_exceeded')
      this.#open(outcome.type, refusedPauseMs, nowMs)
    else if (outcome.type === 'busy')
      this.#open('busy', Math.min(outcome.pauseMs ?? busyPauseMs, longestBusyPauseMs), nowMs)
    else if (!started.isCurrent) return
    else if (outcome.type === 'failed') this.#failed(nowMs)
    else if (outcome.type === 'answered') this.#answered(nowMs)
    else if (started.isTrial && this.#state.type === 'trying')
      this.#state = { type: 'half_open', reason: this.#state.reason }
  }

  #failed(nowMs: number): void {
    const state = this.#at(nowMs)
    // It is known to fail, and was only used because there is no other.
    if (state.type === 'open') return
    this.#failuresInRow += 1
    this.#answersInRow = 0
    this.#rate.add(true, nowMs)
    const { total, failures } = this.#rate.recent(nowMs)
    const isBad =
      this.#failuresInRow >= maxFailuresInRow || (total >= leastRated && failures >= total * maxFailureShare)
    if (state.type !== 'closed' || isBad) this.#openAfterFailure(this.reason, nowMs)
  }

  #answered(nowMs: number): void {
    if (this.#state.type !== 'closed' && this.#state.reason !== 'canary') this.#close()
    this.#failuresInRow = 0
    this.#answersInRow += 1
    this.#rate.add(false, nowMs)
    if (this.#answersInRow >= answersToForget) this.#openings = 0
  }

  #openAfterFailure(before: PauseReason | null, nowMs: number): void {
    const pauseMs = Math.min(firstPauseMs * 2 ** this.#openings, longestPauseMs)
    this.#openings = Math.min(this.#openings + 1, 16)
    // Upstreams that failed together are not tried again together.
    this.#open(before === 'canary' ? 'canary' : 'failures', pauseMs * (0.5 + this.#random() / 2), nowMs)
  }

  #open(reason: PauseReason, pauseMs: number, nowMs: number): void {
    this.#state = { type: 'open', reason, untilMs: nowMs + pauseMs }
    this.#generation += 1
    this.#failuresInRow = 0
    this.#answersInRow = 0
    this.#rate.clear()
  }

  #close(): void {
    this.#state = { type: 'closed' }
    this.#generation += 1
  }
}
