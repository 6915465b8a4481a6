import type { Clock } from './clock.ts'

/**
 * Cache of recently loaded values. Loads each at most once per `freshMs`; concurrent callers share one load. If the source
 * cannot be reached, the last value still counts for a while.
 */
export interface LookupCache<Value> {
  /** Returns a fresh value synchronously. */
  get(id: string): Value | Promise<Value>
  /** The next `get` of a matching value loads it again. */
  forget(isMatch: (value: Value, id: string) => boolean): void
}

type LookupCacheOptions<Value> = {
  load(id: string): Promise<Value>
  clock: Clock
  freshMs: number
  /** Above this size, the least recently used value is evicted. */
  maxEntries: number
  isCacheable?(value: Value): boolean
  /** Absent: a value that cannot be loaded again is an error at once. */
  stale?: {
    /** Since it was loaded. */
    maxMs: number
    /** Whether a load failed because the source cannot be reached. */
    isAway(error: unknown): boolean
  }
}

export const createLookupCache = <Value>(options: LookupCacheOptions<Value>): LookupCache<Value> => {
  const { clock, freshMs, maxEntries, isCacheable = () => true, stale } = options
  /** Least recently used first. */
  const entries = new Map<string, { value: Value; loadedAtMs: number }>()
  const loads = new Map<string, Promise<Value>>()
  let newestId: string | null = null

  const remember = (id: string, value: Value, loadedAtMs: number): void => {
    entries.delete(id)
    entries.set(id, { value, loadedAtMs })
    newestId = id
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break
      entries.delete(oldest)
    }
  }

  const load = (id: string): Promise<Value> => {
    // The age of a value counts from the start of its load.
    const loadedAtMs = clock.monotonicMs()
    const loading = options.load(id).then(
      (value) => {
        // Skip a value forgotten during the load: it may predate the change.
        if (loads.get(id) === loading) {
          if (isCacheable(value)) remember(id, value, loadedAtMs)
          else entries.delete(id)
        }
        return value
      },
      (error: unknown) => {
        const last = entries.get(id)
        const isUsable = last !== undefined && stale?.isAway(error) && loadedAtMs - last.loadedAtMs < stale.maxMs
        if (isUsable) return last.value
        entries.delete(id)
        throw error
      },
    )
    loads.set(id, loading)
    const done = (): void => {
      if (loads.get(id) === loading) loads.delete(id)
    }
    loading.then(done, done)
    return loading
  }

  return {
    get(id) {
      const entry = entries.get(id)
      if (entry !== undefined && clock.monotonicMs() - entry.loadedAtMs < freshMs) {
        if (id !== newestId) remember(id, entry.value, entry.loadedAtMs)
        return entry.value
      }
      if (stale === undefined) entries.delete(id)
      return loads.get(id) ?? load(id)
    },
    forget(isMatch) {
      for (const [id, { value }] of entries) if (isMatch(value, id)) entries.delete(id)
      // Values still loading cannot be compared yet, so load them all again.
      loads.clear()
    },
  }
}
