/** Waiting items of several tenants. Tenants are served in turn, however many items each of them has. */
export interface FairQueue<Item> {
  readonly size: number
  sizeOf(tenant: string): number
  add(tenant: string, item: Item): void
  /**
   * The next item: of the tenant with the least weight, and among equals of the one that was served longest ago. A tenant
   * of infinite weight is passed over.
   */
  take(weightOf?: (tenant: string) => number): Item | undefined
  /** False where the item does not wait any more. */
  remove(tenant: string, item: Item): boolean
  /** Empties the queue. */
  clear(): Item[]
}

export const createFairQueue = <Item>(): FairQueue<Item> => {
  /** In the order in which tenants are served. No list is empty. */
  const waiting = new Map<string, Set<Item>>()
  let size = 0

  const remove = (tenant: string, item: Item): boolean => {
    const items = waiting.get(tenant)
    if (items === undefined || !items.delete(item)) return false
    size -= 1
    if (items.size === 0) waiting.delete(tenant)
    return true
  }

  return {
    get size() {
      return size
    },
    sizeOf: (tenant) => waiting.get(tenant)?.size ?? 0,
    add(tenant, item) {
      const items = waiting.get(tenant) ?? new Set()
      waiting.set(tenant, items.add(item))
      size += 1
    },
    take(weightOf = () => 0) {
      let chosen: string | undefined
      let least = Number.POSITIVE_INFINITY
      for (const tenant of waiting.keys()) {
        const weight = weightOf(tenant)
        if (weight >= least) continue
        least = weight
        chosen = tenant
      }
      if (chosen === undefined) return undefined
      const items = waiting.get(chosen) ?? new Set<Item>()
      const [first] = items
      if (first === undefined) return undefined
      remove(chosen, first)
      // Behind everybody else, where more of its items wait.
      if (waiting.delete(chosen)) waiting.set(chosen, items)
      return first
    },
    remove,
    clear() {
      const items = [...waiting.values()].flatMap((ofTenant) => [...ofTenant])
      waiting.clear()
      size = 0
      return items
    },
  }
}
