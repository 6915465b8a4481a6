import type { ApiError } from '../base/api-error.ts'

type WaitState =
  | 'waiting'
  /** It has a slot. */
  | 'started'
  /** The queue is full, or it has waited too long. */
  | 'refused'
  /** Its client has disconnected. */
  | 'left'

/** One wait for a slot. It ends once, whatever comes first. */
export class SlotWait {
  /** Rejects with the error of the refusal, or with the signal's reason. */
  readonly ended: Promise<void>
  readonly #outcome = Promise.withResolvers<void>()
  readonly #signal: AbortSignal
  readonly #onEnd: (state: WaitState) => void
  #state: WaitState = 'waiting'
  #cancelTimeout = (): void => {}

  constructor(signal: AbortSignal, onEnd: (state: WaitState) => void) {
    this.#signal = signal
    this.#onEnd = onEnd
    this.ended = this.#outcome.promise
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting'
  }

  /** If it did not end at once. `startTimeout` returns what cancels it. */
  follow(startTimeout: () => () => void): void {
    if (this.#signal.aborted) this.#leave()
    else {
      this.#signal.addEventListener('abort', this.#leave)
      this.#cancelTimeout = startTimeout()
    }
  }

  start(): void {
    if (this.#end('started')) this.#outcome.resolve()
  }

  refuse(error: ApiError): void {
    if (this.#end('refused')) this.#outcome.reject(error)
  }

  readonly #leave = (): void => {
    if (this.#end('left')) this.#outcome.reject(this.#signal.reason)
  }

  /** False if it had ended before. */
  #end(state: WaitState): boolean {
    if (this.#state !== 'waiting') return false
    this.#state = state
    this.#cancelTimeout()
    this.#signal.removeEventListener('abort', this.#leave)
    this.#onEnd(state)
    return true
  }
}
