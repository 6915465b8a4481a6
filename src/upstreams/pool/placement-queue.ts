/** A request that waits for a free place. */
type Waiting = { ownerId: string; arrival: number; wake(): void }

/** Those that wait for a place, and how many places each owner has. */
export interface PlacementQueue {
  readonly size: number
  /** A number that says since when a request waits, however often it has to look again. */
  arrive(): number
  wait(waiting: Waiting): void
  /** An owner has one more place. Returns what gives it back. */
  take(ownerId: string): () => void
  /** All look again: first those of the owners with the fewest places, one of each owner after the other. */
  wakeAll(): void
}

export const createPlacementQueue = (): PlacementQueue => {
  const places = new Map<string, number>()
  let waiting: Waiting[] = []
  let arrivals = 0
  const add = (ownerId: string, change: number): void => {
    const left = (places.get(ownerId) ?? 0) + change
    if (left === 0) places.delete(ownerId)
    else places.set(ownerId, left)
  }
  return {
    get size() {
      return waiting.length
    },
    arrive() {
      arrivals += 1
      return arrivals
    },
    wait: (one) => void waiting.push(one),
    take(ownerId) {
      add(ownerId, 1)
      return () => add(ownerId, -1)
    },
    wakeAll() {
      const ahead = new Map(places)
      const woken = waiting
        .sort((one, other) => one.arrival - other.arrival)
        .map((one) => {
          const rank = ahead.get(one.ownerId) ?? 0
          ahead.set(one.ownerId, rank + 1)
          return { one, rank }
        })
      waiting = []
      for (const { one } of woken.sort((first, second) => first.rank - second.rank)) one.wake()
    },
  }
}
