import { createFailureRate } from './failure-rate.ts'

/** `half_open`: the pause is over, and one request at a time tries whether the upstream works again. */
export type BreakerState = 'closed' | 'open' | 'half_open'
/**
 * Why a breaker opened. `busy`: the upstream asked us to wait. `key_refused`: our key there is wrong. `canary`: its answer to
 * a canary was wrong, so that answers to requests say nothing good about it.
 */
export type OpenReason = 'failures' | 'busy' | 'key_refused' | 'canary'

/** How one request to an upstream ended. Aborted requests and those that were refused for what they contain prove nothing bad. */
export type UpstreamOutcome =
  | { type: 'answered' }
  /** Its answer has begun: a trial need not wait for the end. The outcome follows. */
  | { type: 'began' }
  | { type: 'aborted' }
  | { type: 'failed' }
  | { type: 'busy'; pauseMs: number | null }
  | { type: 'key_refused' }

/**
 * Decides whether an upstream gets requests. Opens after failures in a row or a high share of failures, for a time that
 * doubles with each opening. It has neither timers nor a clock: the caller passes the monotonic time.
 */
export interface CircuitBreaker {
  state(nowMs: number): BreakerState
  /** Null while it is closed. */
  readonly reason: OpenReason | null
  /** How much of the pause is left; 0 unless it is open. */
  remainingMs(nowMs: number): number
  /** Whether a request may start: it is closed, or half-open and no other request is trying. */
  isUsable(nowMs: number): boolean
  /** A request starts. The returned function reports how it ended; only the first call counts. */
  start(nowMs: number): (outcome: UpstreamOutcome, nowMs: number) => void
  /** A probe of an open upstream: a success ends the pause, a failure begins a longer one. */
  probed(isSuccess: boolean, nowMs: number): void
  /** Opens it for what checks have found, whatever requests say. */
  trip(reason: 'failures' | 'canary' | 'key_refused', nowMs: number): void
  /** A canary was answered as it should be: closes it. */
  passed(): void
}

const maxFailuresInRow = 3
const leastRated = 10
const maxFailureShare = 0.5
const firstPauseMs = 1000
const longestPauseMs = 60_000
const busyPauseMs = 1000
const longestBusyPauseMs = 600_000
const keyRefusedPauseMs = 60_000
/** Answers in a row after which the next pause is short again. */
const answersToForget = 5

export const createCircuitBreaker = (random: () => number): CircuitBreaker => {
  const rate = createFailureRate()
  let reason: OpenReason | null = null
  let openUntilMs = 0
  let openings = 0
  let failuresInRow = 0
  let answersInRow = 0
  /** Requests that started before the last change of state say nothing about the present one. */
  let generation = 0
  let isTrying = false

  const open = (why: OpenReason, pauseMs: number, nowMs: number): void => {
    reason = why
    openUntilMs = nowMs + pauseMs
    generation += 1
    isTrying = false
    failuresInRow = 0
    answersInRow = 0
    rate.clear()
  }
  const openAfterFailure = (nowMs: number): void => {
    const pauseMs = Math.min(firstPauseMs * 2 ** openings, longestPauseMs)
    openings = Math.min(openings + 1, 16)
    // Upstreams that failed together are not tried again together.
    open(reason === 'canary' ? 'canary' : 'failures', pauseMs * (0.5 + random() / 2), nowMs)
  }
  const close = (): void => {
    reason = null
    generation += 1
    isTrying = false
  }
  const fail = (nowMs: number): void => {
    // It is known to fail, and was only used because there is no other.
    if (state(nowMs) === 'open') return
    failuresInRow += 1
    answersInRow = 0
    rate.add(true, nowMs)
    const { total, failures } = rate.recent(nowMs)
    const isBad = failuresInRow >= maxFailuresInRow || (total >= leastRated && failures >= total * maxFailureShare)
    if (reason !== null || isBad) openAfterFailure(nowMs)
  }
  const answer = (nowMs: number): void => {
    if (reason !== null && reason !== 'canary') close()
    failuresInRow = 0
    answersInRow += 1
    rate.add(false, nowMs)
    if (answersInRow >= answersToForget) openings = 0
  }
  const state = (nowMs: number): BreakerState => {
    if (reason === null) return 'closed'
    return nowMs < openUntilMs ? 'open' : 'half_open'
  }
  return {
    state,
    get reason() {
      return reason
    },
    remainingMs: (nowMs) => (reason === null ? 0 : Math.max(0, openUntilMs - nowMs)),
    isUsable(nowMs) {
      const now = state(nowMs)
      return now === 'closed' || (now === 'half_open' && !isTrying)
    },
    start(startedMs) {
      const isTrial = state(startedMs) === 'half_open' && !isTrying
      if (isTrial) isTrying = true
      let startedIn = generation
      let hasEnded = false
      return (outcome, nowMs) => {
        if (hasEnded) return
        if (outcome.type === 'began') {
          if (!isTrial || startedIn !== generation || reason === 'canary') return
          close()
          startedIn = generation
          return
        }
        hasEnded = true
        if (outcome.type === 'key_refused') return open('key_refused', keyRefusedPauseMs, nowMs)
        if (outcome.type === 'busy')
          return open('busy', Math.min(outcome.pauseMs ?? busyPauseMs, longestBusyPauseMs), nowMs)
        if (startedIn !== generation) return
        if (outcome.type === 'failed') return fail(nowMs)
        if (outcome.type === 'answered') return answer(nowMs)
        if (isTrial && reason !== null) isTrying = false
      }
    },
    probed(isSuccess, nowMs) {
      if (reason === null) return
      if (isSuccess) openUntilMs = Math.min(openUntilMs, nowMs)
      // The probe is refused for the same reason: the operator should read that, and nobody should be sent there.
      else if (reason === 'key_refused') open('key_refused', keyRefusedPauseMs, nowMs)
      else openAfterFailure(nowMs)
    },
    trip(why, nowMs) {
      if (why === 'key_refused') return open(why, keyRefusedPauseMs, nowMs)
      if (why === 'canary') reason = why
      openAfterFailure(nowMs)
    },
    passed() {
      if (reason !== null) close()
    },
  }
}
