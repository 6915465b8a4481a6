import type { StepProgress } from './decoding/decode-loop.ts'

/** The progress of a decode loop in memory that several threads share: the loop's own thread cannot answer during a step. */
export type SharedProgress = Int32Array<SharedArrayBuffer>

const [stepsIndex, isSteppingIndex] = [0, 1]

export const createSharedProgress = (): SharedProgress =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

export const writeProgress = (shared: SharedProgress, { steps, isStepping }: StepProgress): void => {
  Atomics.store(shared, stepsIndex, steps)
  Atomics.store(shared, isSteppingIndex, isStepping ? 1 : 0)
}

export const readProgress = (shared: SharedProgress): StepProgress => ({
  steps: Atomics.load(shared, stepsIndex),
  isStepping: Atomics.load(shared, isSteppingIndex) === 1,
})
