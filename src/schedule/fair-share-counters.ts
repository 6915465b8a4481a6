/**
 * A virtual token counter per organisation: its service divided by its weight. The lowest counter goes next, so waiting
 * organisations are served in proportion to their weights. A newly active organisation starts at the counter of the one
 * served last, so idle time earns no credit.
 */
export interface FairShareCounters {
  of(organisationId: string): number
  /** A request arrives, and stays until it leaves. `isBacklogged`: others of the organisation already wait. */
  join(organisationId: string, isBacklogged: boolean): void
  leave(organisationId: string): void
  /** Records that the organisation is served next. */
  serve(organisationId: string): void
  /** A negative cost refunds an overcharge. */
  charge(organisationId: string, cost: number): void
  readonly size: number
}

type Account = { counter: number; requests: number }

/**
 * An idle organisation is remembered until the others have caught up with it. This is the maximum number, because
 * nothing else bounds it while new organisations arrive; the one furthest behind is forgotten first.
 */
export const mostIdle = 1000

export const createFairShareCounters = (weightOf: (organisationId: string) => number): FairShareCounters => {
  const active = new Map<string, Account>()
  const idle = new Map<string, number>()
  /** The counter of the organisation served last: a new organisation never starts below it. */
  let floor = 0

  const forgetLowest = (): void => {
    let lowest: [string, number] | null = null
    for (const entry of idle) if (lowest === null || entry[1] < lowest[1]) lowest = entry
    if (lowest !== null) idle.delete(lowest[0])
  }
  return {
    of: (organisationId) => active.get(organisationId)?.counter ?? floor,
    join(organisationId, isBacklogged) {
      const account = active.get(organisationId) ?? { counter: idle.get(organisationId) ?? floor, requests: 0 }
      idle.delete(organisationId)
      active.set(organisationId, account)
      account.requests += 1
      if (!isBacklogged) account.counter = Math.max(account.counter, floor)
    },
    leave(organisationId) {
      const account = active.get(organisationId)
      if (account === undefined) return
      account.requests -= 1
      if (account.requests > 0) return
      active.delete(organisationId)
      if (account.counter > floor) idle.set(organisationId, account.counter)
      if (idle.size > mostIdle) forgetLowest()
      if (active.size > 0) return
      // No organisation is left to compare with.
      idle.clear()
      floor = 0
    },
    serve(organisationId) {
      const counter = active.get(organisationId)?.counter ?? floor
      if (counter <= floor) return
      floor = counter
      for (const [id, idleCounter] of idle) if (idleCounter <= floor) idle.delete(id)
    },
    charge(organisationId, cost) {
      const account = active.get(organisationId)
      if (account !== undefined) account.counter += cost / weightOf(organisationId)
    },
    get size() {
      return active.size + idle.size
    },
  }
}
