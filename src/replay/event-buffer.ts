import type { ByteLease } from '../base/byte-budget.ts'

type EventBufferOptions = {
  limitBytes: number
  /** An answer up to this length is stored, or fails. By default, an answer is sent even if there is no space to store it. */
  keptBytes?: number
  memory: ByteLease
  /** Null if the response is already stored. */
  disk: ByteLease | null
}

/**
 * The events of one response, within its share of memory and disk. When there are more than fit, the response can no longer
 * be stored, and events that all readers have read are dropped.
 */
export class EventBuffer {
  readonly #options: EventBufferOptions
  readonly #events: string[] = []
  #first = 0
  #bytes = 0
  #isStorable = true

  constructor(options: EventBufferOptions) {
    this.#options = options
  }

  /** The index of the first event that was not dropped. */
  get first(): number {
    return this.#first
  }

  /** How many events there have been, dropped ones included. */
  get count(): number {
    return this.#first + this.#events.length
  }

  get isStorable(): boolean {
    return this.#isStorable
  }

  /** Reserves space for this many bytes, whatever else is recorded in the meantime. False if there is none. */
  reserve(bytes: number): boolean {
    const { limitBytes, memory, disk } = this.#options
    const neededBytes = Math.min(bytes, limitBytes)
    return memory.raise(neededBytes) && (disk === null || disk.raise(neededBytes))
  }

  /** There is no space left for an answer that should have been stored. */
  lacksSpace(): boolean {
    const { keptBytes = 0 } = this.#options
    return this.#isStorable && this.#bytes <= keptBytes && !this.#fits()
  }

  add(data: string): void {
    this.#events.push(data)
    this.#bytes += eventBytes(data)
  }

  at(index: number): string | undefined {
    return this.#events[index - this.#first]
  }

  /** Whether everything fits, once the events before `slowest` are dropped as far as necessary. */
  fit(slowest: number): boolean {
    if (this.#fits()) return true
    this.#giveUpStorage()
    for (; this.#first < slowest && !this.#fits(); this.#first += 1)
      this.#bytes -= eventBytes(this.#events.shift() ?? '')
    return this.#fits()
  }

  /** The response is complete. Returns what is to be stored, one event a line; nothing if the response is too long. */
  complete(): string {
    if (!this.#fits()) this.#giveUpStorage()
    return this.#isStorable ? this.#events.join('\n') : ''
  }

  /** Nothing is added any more: releases what was reserved and not used. */
  shrink({ isStored }: { isStored: boolean }): void {
    if (isStored && this.#isStorable) this.#options.disk?.commit(this.#bytes)
    else this.#options.disk?.close()
    this.#options.memory.shrink(this.#bytes)
  }

  release(): void {
    this.#options.memory.close()
  }

  #fits(): boolean {
    const { limitBytes, memory, disk } = this.#options
    const isInMemory = memory.resize(this.#bytes)
    const isOnDisk = !this.#isStorable || disk === null || disk.resize(this.#bytes)
    return this.#bytes <= limitBytes && isInMemory && isOnDisk
  }

  #giveUpStorage(): void {
    this.#isStorable = false
    this.#options.disk?.close()
  }
}

/** As stored: UTF-8 and a line break. */
export const eventBytes = (data: string): number => Buffer.byteLength(data) + 1
