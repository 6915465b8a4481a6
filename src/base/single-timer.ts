import type { Clock } from './clock.ts'

type State =
  | { type: 'idle' }
  | { type: 'waiting'; cancel(): void }
  /** Nothing is called back any more. */
  | { type: 'closed' }

/** Calls back some time after `start`; starting it again in the meantime changes nothing. */
export class SingleTimer {
  readonly #clock: Clock
  readonly #delayMs: number
  readonly #callback: () => void
  #state: State = { type: 'idle' }

  constructor(clock: Clock, delayMs: number, callback: () => void) {
    this.#clock = clock
    this.#delayMs = delayMs
    this.#callback = callback
  }

  start(): void {
    if (this.#state.type !== 'idle') return
    const cancel = this.#clock.after(this.#delayMs, () => {
      this.#state = { type: 'idle' }
      this.#callback()
    })
    this.#state = { type: 'waiting', cancel }
  }

  cancel(): void {
    if (this.#state.type !== 'waiting') return
    this.#state.cancel()
    this.#state = { type: 'idle' }
  }

  close(): void {
    this.cancel()
    this.#state = { type: 'closed' }
  }
}
