import type { Waiter, WaitingLists } from './waiting-lists.ts'

type Queue = { counter: number; waitingCost: number; waitingCharge: number }

/**
 * The cost served before a request that is behind `ahead` in its owner's queue: that cost, plus the share due to the
 * other owners by the time its own counter gets there. Running requests are ignored, so the estimate is low.
 */
const costBefore = (ahead: { cost: number; charge: number }, ownCounter: number, others: Iterable<Queue>): number => {
  const reached = ownCounter + ahead.charge
  let { cost } = ahead
  for (const { counter, waitingCost, waitingCharge } of others)
    if (reached > counter && waitingCharge > 0) cost += waitingCost * Math.min(1, (reached - counter) / waitingCharge)
  return cost
}

/** The cost that is served before a waiting request. */
export const costAhead = <Request extends Waiter>(
  request: Request,
  waiting: WaitingLists<Request>,
  counterOf: (ownerId: string) => number,
): number => {
  const own = request.ownerId
  const ahead = { cost: 0, charge: 0 }
  for (const { id, expectedCost, weight } of waiting.of(own)) {
    if (id === request.id) break
    ahead.cost += expectedCost
    ahead.charge += expectedCost / weight
  }
  const others = [...waiting.firsts()]
    .filter(({ ownerId }) => ownerId !== own)
    .map(({ ownerId }) => {
      const { cost: waitingCost, charge: waitingCharge } = waiting.costOf(ownerId)
      return { counter: counterOf(ownerId), waitingCost, waitingCharge }
    })
  return costBefore(ahead, counterOf(own), others)
}

const leastMs = 1_000
/** Official clients ignore a longer delay. */
const maxMs = 60_000
/** Used if the speed is not known yet. */
const unknownMs = 2_000

/** How long a refused client should wait: until the work ahead of it is done. */
export const retryAfterMs = (waitMs: number | null): number =>
  waitMs === null ? unknownMs : Math.min(maxMs, Math.max(leastMs, Math.ceil(waitMs)))
