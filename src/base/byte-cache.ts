/** Caches values up to a total size in bytes; evicts the least recently used first. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined
  /** Does not keep a value larger than the whole cache. */
  set(key: string, value: Value, bytes: number): void
  readonly bytes: number
}

export const createByteCache = <Value>(limitBytes: number): ByteCache<Value> => {
  /** Least recently used first. */
  const entries = new Map<string, { value: Value; bytes: number }>()
  let total = 0
  const remove = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    get bytes() {
      return total
    },
    get(key) {
      const found = entries.get(key)
      if (found === undefined) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found.value
    },
    set(key, value, bytes) {
      remove(key)
      if (bytes > limitBytes) return
      entries.set(key, { value, bytes })
      total += bytes
      for (const oldest of entries.keys()) {
        if (total <= limitBytes) return
        remove(oldest)
      }
    },
  }
}
