import type { PauseSwitch } from '../base/pause-switch.ts'

/** docs/limits.md draws it. */
type LeaseState =
  /** It has the slot. */
  | 'held'
  /** Another request has the slot for a turn, and this one waits for the next. */
  | 'paused'
  /** Given up between two choices, and waited for. */
  | 'yielded'
  /** Given up, and not waited for until the answer is read again. */
  | 'suspended'
  | 'released'

/** One slot of a request. */
export type Lease = { state: LeaseState; pausing: PauseSwitch | undefined }

export type Pauses = { count: number; ms: number }

/** On the monotonic clock. */
export type PausePeriod = { fromMs: number; toMs: number }

/** Of later ones only the number and the time are kept. */
const maxPeriods = 64

/** The slots of one request, and how long its answer has stood still because others had them. */
export class SlotLeases {
  readonly #leases: Lease[] = []
  readonly #monotonicMs: () => number
  #pauses: Pauses = { count: 0, ms: 0 }
  #standingSinceMs: number | null = null
  readonly #periods: PausePeriod[] = []

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  add(pausing: PauseSwitch | undefined): Lease {
    const lease: Lease = { state: 'held', pausing }
    this.#leases.push(lease)
    return lease
  }

  set(lease: Lease, state: LeaseState): void {
    lease.state = state
    if (state === 'held') lease.pausing?.resume()
    else if (state === 'paused' || state === 'suspended') lease.pausing?.pause()
    this.#note()
  }

  /** The scheduler gives one of them to another request: further choices stop before the first one. */
  pause(): void {
    const lease = this.#leases.findLast(({ state, pausing }) => state === 'held' && pausing !== undefined)
    if (lease !== undefined) this.set(lease, 'paused')
  }

  /** One that was paused continues. */
  start(): void {
    const lease = this.#leases.find(({ state }) => state === 'paused')
    if (lease !== undefined) this.set(lease, 'held')
  }

  suspend(): void {
    for (const lease of this.#leases)
      if (lease.state === 'held' || lease.state === 'paused') this.set(lease, 'suspended')
  }

  /** They wait for slots again. */
  unsuspend(): void {
    for (const lease of this.#leases) if (lease.state === 'suspended') lease.state = 'paused'
  }

  /** After all decisions: whether the answer stands still now. */
  settle(): void {
    this.#note()
  }

  isReleased(): boolean {
    return this.#leases.every(({ state }) => state === 'released')
  }

  pauses(): Pauses {
    const { count, ms } = this.#pauses
    return { count, ms: ms + (this.#standingSinceMs === null ? 0 : this.#monotonicMs() - this.#standingSinceMs) }
  }

  /** When it was paused: the first of them, the last of which may be going on. */
  periods(): PausePeriod[] {
    const since = this.#standingSinceMs
    return since === null ? this.#periods : [...this.#periods, { fromMs: since, toMs: this.#monotonicMs() }]
  }

  /** It stands still while none of its slots works and others have at least one of them. */
  #note(): void {
    const has = (wanted: LeaseState): boolean => this.#leases.some(({ state }) => state === wanted)
    const isStanding = has('paused') && !has('held')
    if (isStanding === (this.#standingSinceMs !== null)) return
    if (isStanding) this.#pauses = { ...this.#pauses, count: this.#pauses.count + 1 }
    else this.#endPause()
    this.#standingSinceMs = isStanding ? this.#monotonicMs() : null
  }

  #endPause(): void {
    this.#pauses = this.pauses()
    const fromMs = this.#standingSinceMs
    if (fromMs !== null && this.#periods.length < maxPeriods) this.#periods.push({ fromMs, toMs: this.#monotonicMs() })
  }
}
