export type SlotSharesOptions = {
  slots: number
  /** Number of slots kept for owners that have none. One slot at least is for anybody. */
  reservedSlots: number
}

/** Tracks which owners use the slots. */
export class SlotShares {
  #slots = 0
  #reserved = 0
  readonly #held = new Map<string, number>()
  #running = 0

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

  get slots(): number {
    return this.#slots
  }

  heldBy(ownerId: string): number {
    return this.#held.get(ownerId) ?? 0
  }

  /** Whether an owner may have one more slot, if another owner gives one up for it. */
  mayExchangeFor(ownerId: string): boolean {
    return this.heldBy(ownerId) < this.#slots - this.#reserved
  }

  /** An owner that has a slot leaves the reserved ones free, even while nobody else is there: who comes next finds one. */
  hasFreeFor(ownerId: string): boolean {
    return this.#slots - this.#running > (this.#held.has(ownerId) ? this.#reserved : 0)
  }

  occupy(ownerId: string): void {
    this.#running += 1
    this.#held.set(ownerId, (this.#held.get(ownerId) ?? 0) + 1)
  }

  free(ownerId: string): void {
    this.#running -= 1
    const left = (this.#held.get(ownerId) ?? 0) - 1
    if (left > 0) this.#held.set(ownerId, left)
    else this.#held.delete(ownerId)
  }
}
