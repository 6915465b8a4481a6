/** A number in memory that all workers share. It grows when a key changes, before anybody is told that it has. */
export interface SharedEpoch {
  readonly memory: SharedArrayBuffer
  current(): number
  advance(): void
}

export const createSharedEpoch = (memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): SharedEpoch => {
  const numbers = new Int32Array(memory)
  return {
    memory,
    current: () => Atomics.load(numbers, 0),
    advance: () => void Atomics.add(numbers, 0, 1),
  }
}
