/** Queue of items from several tenants. Serves tenants in turn, however many items each has. */
export interface FairQueue<Item> {
  readonly size: number
  sizeOf(tenant: string): number
  add(tenant: string, item: Item): void
  /**
   * Returns the next item of the tenant with the lowest weight; among equals, of the least recently served. Skips
   * tenants of infinite weight.
   */
  take(weightOf?: (tenant: string) => number): Item | undefined
  /** Returns false if the item is no longer in the queue. */
  remove(tenant: string, item: Item): boolean
  /** Empties the queue. */
  clear(): Item[]
}

export const createFairQueue = <Item>(): FairQueue<Item> => {
  /** In serving order. No set is empty. */
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
      // If the tenant has more items, move it to the back.
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
