type Queue = { counter: number; waitingCost: number; waitingCharge: number }

/**
 * The cost served before a request that is behind `ahead` in its owner's queue: that cost, plus the share due to the
 * other owners by the time its own counter gets there. Running requests are ignored, so the estimate is low.
 */
export const costBefore = (
  ahead: { cost: number; charge: number },
  ownCounter: number,
  others: Iterable<Queue>,
): number => {
  const reached = ownCounter + ahead.charge
  let { cost } = ahead
  for (const { counter, waitingCost, waitingCharge } of others)
    if (reached > counter && waitingCharge > 0) cost += waitingCost * Math.min(1, (reached - counter) / waitingCharge)
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
