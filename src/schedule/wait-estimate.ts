type Queue = { counter: number; weight: number; waitingCost: number }

/**
 * The cost served before a request that is behind `costAhead` in its organisation's queue: that cost, plus the share
 * due to the other organisations by the time its own counter gets there. Running requests are ignored, so the estimate
 * is low.
 */
export const costBefore = (costAhead: number, own: Omit<Queue, 'waitingCost'>, others: Iterable<Queue>): number => {
  const reached = own.counter + costAhead / own.weight
  let cost = costAhead
  for (const { counter, weight, waitingCost } of others)
    cost += Math.min(waitingCost, Math.max(0, (reached - counter) * weight))
  return cost
}

const leastMs = 1_000
/** Official clients ignore a longer delay. */
const mostMs = 60_000
/** Used if the speed is not known yet. */
const unknownMs = 2_000

/** How long a refused client should wait: until the work ahead of it is done. */
export const retryAfterMs = (waitMs: number | null): number =>
  waitMs === null ? unknownMs : Math.min(mostMs, Math.max(leastMs, Math.ceil(waitMs)))
