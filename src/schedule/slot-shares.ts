export type SlotSharesOptions = {
  slots: number
  /** Number of slots reserved for organisations without one, while several organisations use the server. */
  reservedSlots: number
}

/** After this long without another organisation, the only active one may use every slot. */
const sharedForMs = 600_000

/** Tracks which organisations use the slots. */
export class SlotShares {
  #slots = 0
  #reserved = 0
  readonly #held = new Map<string, number>()
  #running = 0
  #latest: { organisationId: string; seenMs: number } | null = null
  /** When an organisation other than the latest was last seen. */
  #otherSeenMs = Number.NEGATIVE_INFINITY

  constructor(options: SlotSharesOptions) {
    this.resize(options)
  }

  /** Slots in use stay in use, even if they are more than there are now. */
  resize({ slots, reservedSlots }: SlotSharesOptions): void {
    this.#slots = slots
    this.#reserved = Math.min(reservedSlots, slots - 1)
  }

  get running(): number {
    return this.#running
  }

  /** Records a request of the organisation. */
  see(organisationId: string, nowMs: number): void {
    const latest = this.#latest
    if (latest !== null && latest.organisationId !== organisationId) this.#otherSeenMs = latest.seenMs
    this.#latest = { organisationId, seenMs: nowMs }
  }

  hasFreeFor(organisationId: string, nowMs: number): boolean {
    const isShared = nowMs - this.#otherSeenMs < sharedForMs
    return this.#slots - this.#running > (isShared && this.#held.has(organisationId) ? this.#reserved : 0)
  }

  occupy(organisationId: string): void {
    this.#running += 1
    this.#held.set(organisationId, (this.#held.get(organisationId) ?? 0) + 1)
  }

  free(organisationId: string): void {
    this.#running -= 1
    const left = (this.#held.get(organisationId) ?? 0) - 1
    if (left > 0) this.#held.set(organisationId, left)
    else this.#held.delete(organisationId)
  }
}
