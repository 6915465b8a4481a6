import type { Clock } from '../../base/clock.ts'
import { exactMs } from '../limiter-state.ts'

/** The time of the windows: that of Redis, as last learned, or in tests that of the clock. */
export class RedisTime {
  readonly #clock: Clock
  readonly #isOfClock: boolean
  /** The difference between the time of Redis and the monotonic clock. */
  #offsetMs: number

  constructor(clock: Clock, timeSource: 'redis' | 'clock') {
    this.#clock = clock
    this.#isOfClock = timeSource === 'clock'
    this.#offsetMs = this.#isOfClock ? 0 : clock.now() - clock.monotonicMs()
  }

  nowMs(): number {
    return exactMs(this.#clock.monotonicMs() + this.#offsetMs)
  }

  /** The time argument of every script: '' if Redis reads its own clock. */
  argument(): number | '' {
    return this.#isOfClock ? this.nowMs() : ''
  }

  learn(redisMs: number): void {
    if (!this.#isOfClock) this.#offsetMs = redisMs - this.#clock.monotonicMs()
  }
}
