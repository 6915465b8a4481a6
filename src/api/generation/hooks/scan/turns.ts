/** A fraction of a millisecond. */
const stepsPerTurn = 25_000

/** Work that is done in turns: other requests are served in between. */
export interface Turns {
  /** The steps that are left of this turn, at least one. */
  readonly left: number
  /** Counts these steps. True once the turn is over. */
  isOver(steps: number): boolean
  next(): Promise<void>
}

/** Ends with the signal: nobody waits for the result then. */
export const createTurns = (signal: AbortSignal): Turns => {
  let left = stepsPerTurn
  return {
    get left() {
      return Math.max(left, 1)
    },
    isOver(steps) {
      left -= steps
      return left <= 0
    },
    async next() {
      left = stepsPerTurn
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
    },
  }
}
