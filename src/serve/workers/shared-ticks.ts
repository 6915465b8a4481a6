/**
 * How often the event loop of one worker has come to its timer, in memory that its authority reads. Idle workers count too; one whose loop
 * hangs does not.
 */
export interface SharedTicks {
  readonly memory: SharedArrayBuffer
  add(): void
  /** Only whether it is another than before means something: it begins again after four billion. */
  current(): number
}

/** How often a worker counts. */
export const tickMs = 1000

export const createSharedTicks = (memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): SharedTicks => {
  const numbers = new Int32Array(memory)
  return {
    memory,
    add: () => void Atomics.add(numbers, 0, 1),
    current: () => Atomics.load(numbers, 0),
  }
}
