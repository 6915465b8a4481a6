/**
 * Chance that can be repeated: the same seed makes the same choices. When they meet the server is the machine's affair, so
 * a repeated run is like the first one, not the same.
 */
export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** Both ends included. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  /** One of them, as often as its weight says. */
  pick<Name extends string>(weights: Record<Name, number>): Name
  /** One of its own for somebody, so that nobody's choices depend on who is faster. */
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
