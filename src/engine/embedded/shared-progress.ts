import type { StepProgress } from './step-progress.ts'

/** The progress of a decode loop in memory that several threads share: the loop's own thread cannot answer during a step. */
export type SharedProgress = Int32Array<SharedArrayBuffer>

const [stepsIndex, isSteppingIndex, cacheUseIndex] = [0, 1, 2]
/** Only whole numbers can be shared: of the cache's use, parts per million, and 0 while it is not known. */
const parts = 1_000_000

export const createSharedProgress = (): SharedProgress =>
  new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))

export const writeProgress = (shared: SharedProgress, { steps, isStepping, cacheUse = 0 }: StepProgress): void => {
  Atomics.store(shared, stepsIndex, steps)
  Atomics.store(shared, isSteppingIndex, isStepping ? 1 : 0)
  Atomics.store(shared, cacheUseIndex, Math.round(cacheUse * parts))
}

export const readProgress = (shared: SharedProgress): StepProgress => ({
  steps: Atomics.load(shared, stepsIndex),
  isStepping: Atomics.load(shared, isSteppingIndex) === 1,
  cacheUse: Atomics.load(shared, cacheUseIndex) / parts,
})
