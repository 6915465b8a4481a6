/**
 * A virtual token counter per owner: the service of its organisations, each divided by its weight. The lowest counter goes
 * next, so waiting owners are served in proportion to these weights. A newly active owner starts at the counter of the one
 * served last, so idle time earns no credit.
 */
export interface FairShareCounters {
  of(ownerId: string): number
  /** A request arrives, and stays until it leaves. `isBacklogged`: others of the owner already wait. */
  join(ownerId: string, isBacklogged: boolean): void
  leave(ownerId: string): void
  /** Records that the owner is served next. */
  serve(ownerId: string): void
  /** Divided by the weight; a negative one refunds an overcharge. */
  charge(ownerId: string, charge: number): void
  readonly size: number
}

type Account = { counter: number; requests: number }

/**
 * An idle owner is remembered until the others have caught up with it. This is the maximum number, because nothing else
 * bounds it while new owners arrive; the one furthest behind is forgotten first.
 */
export const maxIdle = 1000

export const createFairShareCounters = (): FairShareCounters => {
  const active = new Map<string, Account>()
  const idle = new Map<string, number>()
  /** The counter of the owner served last: a new one never starts below it. */
  let floor = 0

  const forgetLowest = (): void => {
    let lowest: [string, number] | null = null
    for (const entry of idle) if (lowest === null || entry[1] < lowest[1]) lowest = entry
    if (lowest !== null) idle.delete(lowest[0])
  }
  return {
    of: (ownerId) => active.get(ownerId)?.counter ?? floor,
    join(ownerId, isBacklogged) {
      const account = active.get(ownerId) ?? { counter: idle.get(ownerId) ?? floor, requests: 0 }
      idle.delete(ownerId)
      active.set(ownerId, account)
      account.requests += 1
      if (!isBacklogged) account.counter = Math.max(account.counter, floor)
    },
    leave(ownerId) {
      const account = active.get(ownerId)
      if (account === undefined) return
      account.requests -= 1
      if (account.requests > 0) return
      active.delete(ownerId)
      if (account.counter > floor) idle.set(ownerId, account.counter)
      if (idle.size > maxIdle) forgetLowest()
      if (active.size > 0) return
      // No owner is left to compare with.
      idle.clear()
      floor = 0
    },
    serve(ownerId) {
      const counter = active.get(ownerId)?.counter ?? floor
      if (counter <= floor) return
      floor = counter
      for (const [id, idleCounter] of idle) if (idleCounter <= floor) idle.delete(id)
    },
    charge(ownerId, charge) {
      const account = active.get(ownerId)
      if (account !== undefined) account.counter += charge
    },
    get size() {
      return active.size + idle.size
    },
  }
}
