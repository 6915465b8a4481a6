type Queue = { counter: number; weight: number; waitingCost: number }

/**
 * How much is served before a request that stands behind `costAhead` in its organisation's own queue: that, and what the
 * other organisations are owed by the time its own counter gets there. What runs already is left out, so this is rather too
 * little.
 */
export const costBefore = (costAhead: number, own: Omit<Queue, 'waitingCost'>, others: Iterable<Queue>): number => {
  const reached = own.counter + costAhead / own.weight
  let cost = costAhead
  for (const { counter, weight, waitingCost } of others)
    cost += Math.min(waitingCost, Math.max(0, (reached - counter) * weight))
  return cost
}

const leastMs = 1_000
/** Official clients ignore a longer one. */
const mostMs = 60_000
/** Where the speed is not known yet. */
const unknownMs = 2_000

/** How long a refused client should wait: until what was ahead of it has been served. */
export const retryAfterMs = (waitMs: number | null): number =>
  waitMs === null ? unknownMs : Math.min(mostMs, Math.max(leastMs, Math.ceil(waitMs)))
