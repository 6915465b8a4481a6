/**
 * Repeatable randomness: the same seed gives the same choices. Their timing depends on the machine, so a repeated run
 * is similar to the first, not identical.
 */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Inclusive at both ends. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  /** Picks one in proportion to its weight. */
  pick<Name extends string>(weights: Record<Name, number>): Name
  /** A separate generator, so that no client's choices depend on the timing of others. */
  fork(): Random
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick(weights) {
      const names = Object.keys(weights).filter((name): name is keyof typeof weights => name in weights)
      let rest = next() * names.reduce((sum, name) => sum + weights[name], 0)
      for (const name of names) {
        rest -= weights[name]
        if (rest < 0) return name
      }
      throw new RangeError('there is nothing to pick from')
    },
    fork: () => createRandom(Math.floor(next() * 2 ** 32)),
  }
}
