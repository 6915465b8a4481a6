import type { PauseSwitch } from '../base/pause-switch.ts'
import type { Decision } from './scheduled-request.ts'
import { type Lease, type PausePeriod, type Pauses, SlotLeases } from './slot-leases.ts'
import type { SlotScheduler } from './slot-scheduler.ts'
import type { TokenCounts } from './token-cost.ts'

type SlotOptions = {
  id: number
  pausing: PauseSwitch | undefined
  scheduler: SlotScheduler
  monotonicMs(): number
  /** Its decisions are applied. */
  carryOut(decisions: readonly Decision[]): void
  /** Resolves when the request has another slot. */
  wait(signal: AbortSignal, decisions: readonly Decision[]): Promise<void>
  /** Decisions about the request go to its leases from now on, or no more. */
  setLeases(leases: SlotLeases | null): void
}

/** The slots of a request that runs: its own, and those of further choices. Its public functions can be passed on by themselves. */
export class RequestSlot {
  readonly #options: SlotOptions
  readonly #leases: SlotLeases
  readonly #own: Lease
  /** It has to be released once it is regained. */
  #isReleased = false

  constructor(options: SlotOptions) {
    this.#options = options
    this.#leases = new SlotLeases(options.monotonicMs)
    options.setLeases(this.#leases)
    this.#own = this.#leases.add(options.pausing)
  }

  /** Usage of the request so far, for all its choices together; charged to its owner. */
  readonly used = (tokens: TokenCounts): void => {
    const { id, scheduler, monotonicMs, carryOut } = this.#options
    const decisions = scheduler.used(id, tokens, monotonicMs())
    if (decisions.length > 0) carryOut(decisions)
  }

  /** Idempotent. */
  readonly release = (): void => {
    this.#isReleased = true
    this.#letGo(this.#own)
  }

  /** One more slot for the same request, with its release; null if none is free or others wait. */
  readonly tryExtra = (pausing?: PauseSwitch): (() => void) | null => {
    const { id, scheduler, monotonicMs, setLeases } = this.#options
    if (!scheduler.extend(id, monotonicMs())) return null
    const extra = this.#leases.add(pausing)
    setLeases(this.#leases)
    return () => this.#letGo(extra)
  }

  /**
   * Called between two choices of a request: if a waiting request should go first, it gets this slot, and this request
   * waits for another without a time limit. Null if none should. Rejects with the signal's reason; the slot must be
   * released even then.
   */
  readonly yield = (signal: AbortSignal): Promise<void> | null => {
    const { id, scheduler, monotonicMs } = this.#options
    const decisions = this.#own.state === 'held' ? scheduler.yield(id, monotonicMs()) : []
    return decisions.length === 0 ? null : this.#regain(signal, decisions)
  }

  /** Nobody reads what was generated: the answer is paused, and others may have its slots. Only if it can be paused. */
  readonly suspend = (): void => {
    const { id, pausing, scheduler, monotonicMs, carryOut } = this.#options
    if (pausing === undefined) return
    this.#leases.suspend()
    carryOut(scheduler.suspend(id, monotonicMs()))
  }

  /** It continues as soon as there is a slot for it. */
  readonly resume = (): void => {
    const { id, pausing, scheduler, monotonicMs, carryOut } = this.#options
    if (pausing === undefined) return
    this.#leases.unsuspend()
    carryOut(scheduler.resume(id, monotonicMs()))
    this.#leases.settle()
  }

  /** How often and for how long the answer has been paused for others. */
  readonly pauses = (): Pauses => {
    return this.#leases.pauses()
  }

  /** When that was. */
  readonly pausePeriods = (): PausePeriod[] => this.#leases.periods()

  /** Idempotent. One that was yielded is released once it is regained. */
  #letGo(lease: Lease): void {
    const { id, scheduler, monotonicMs, carryOut } = this.#options
    const { state } = lease
    if (state === 'released' || state === 'yielded') return
    this.#released(lease)
    carryOut(state === 'paused' ? scheduler.leave(id, monotonicMs()) : scheduler.release(id, monotonicMs()))
  }

  async #regain(signal: AbortSignal, decisions: readonly Decision[]): Promise<void> {
    this.#leases.set(this.#own, 'yielded')
    try {
      await this.#options.wait(signal, decisions)
    } catch (error) {
      this.#released(this.#own)
      throw error
    }
    this.#leases.set(this.#own, 'held')
    if (this.#isReleased) this.#letGo(this.#own)
  }

  #released(lease: Lease): void {
    this.#leases.set(lease, 'released')
    if (this.#leases.isReleased()) this.#options.setLeases(null)
  }
}
