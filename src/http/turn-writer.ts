import type { ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'

/** Events of one turn are written together until they are this long: more than most upstreams send in one packet. */
const maxUnwrittenLength = 65_536

/**
 * A stream may write this often within that many milliseconds. Beyond that, which only upstreams with hundreds of
 * tokens a second reach, the events of a millisecond are written together: a write costs several times as much as an
 * event.
 */
const maxBurstWrites = 8
const burstMs = 10
const togetherMs = 1

/** Writes what is added in one turn of the event loop together: one write costs as much for sixty events as for one. */
export class TurnWriter {
  readonly #response: ServerResponse
  readonly #clock: Clock
  #unwritten = ''
  #burstStartedMs = Number.NEGATIVE_INFINITY
  #burstWrites = 0

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response
    this.#clock = clock
  }

  add(text: string): void {
    if (this.#unwritten === '') this.#schedule()
    this.#unwritten += text
    if (this.#unwritten.length > maxUnwrittenLength) this.write()
  }

  /** Bound, because it is a callback of timers. */
  readonly write = (): void => {
    const text = this.take()
    const response = this.#response
    // As bytes: of a text Node would first count the bytes, and then convert it.
    if (text !== '' && !response.destroyed && !response.writableEnded) response.write(Buffer.from(text))
  }

  /** What was not written yet, which the caller then writes itself. */
  take(): string {
    const text = this.#unwritten
    this.#unwritten = ''
    return text
  }

  #schedule(): void {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#burstStartedMs > burstMs) {
      this.#burstStartedMs = nowMs
      this.#burstWrites = 0
    }
    this.#burstWrites += 1
    if (this.#burstWrites <= maxBurstWrites) process.nextTick(this.write)
    // A real timer, because the server's clock stands still in tests, and only the number of writes depends on it.
    else setTimeout(this.write, togetherMs)
  }
}
