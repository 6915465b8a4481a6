import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Each look wakes a worker that may have nothing to do. */
const lookMs = 100

/** Memory and delays of one worker, in memory that its authority reads for `/metrics`: a message would wait until the worker is free. */
export interface SharedThreadFigures {
  readonly memory: SharedArrayBuffer
  heapBytes(): number
  externalBytes(): number
  /** The longest delay of its event loop since the last call, in seconds. */
  longestLag(): number
}

const fields = 3

export const createSharedThreadFigures = (): SharedThreadFigures => {
  const memory = new SharedArrayBuffer(fields * Float64Array.BYTES_PER_ELEMENT)
  const numbers = new Float64Array(memory)
  return {
    memory,
    heapBytes: () => numbers[0] ?? 0,
    externalBytes: () => numbers[1] ?? 0,
    longestLag() {
      const longest = numbers[2] ?? 0
      numbers[2] = 0
      return longest
    },
  }
}

/** In the worker. The result notes its figures, and is to be called now and then. */
export const openThreadFigures = (memory: SharedArrayBuffer): (() => void) => {
  const numbers = new Float64Array(memory)
  const delay = monitorEventLoopDelay({ resolution: lookMs })
  delay.enable()
  const note = (): void => {
    const { heapUsed, external } = process.memoryUsage()
    // The time between two looks is part of what is measured.
    const lag = Math.max(0, delay.max / 1e9 - lookMs / 1000)
    delay.reset()
    numbers.set([heapUsed, external, Math.max(numbers[2] ?? 0, lag)])
  }
  note()
  return note
}
