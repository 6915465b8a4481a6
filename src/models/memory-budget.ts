/** A model that takes memory and can give it back. */
export interface MemoryUser {
  /** Whether it can be unloaded now. */
  isIdle(): boolean
  /** On the monotonic clock; of two idle models, the one with the earlier time is unloaded first. */
  lastUsedMs(): number
  /** Unloaded only if nothing else makes enough space. */
  isDefault(): boolean
  /** Resolves once its memory is free. */
  unload(): Promise<void>
}

/** Other models are in use, and the memory is not enough for one more. */
export class MemoryInUse extends Error {}

export interface MemoryBudget {
  readonly limitBytes: number
  /** Reserves memory, unloading idle models if necessary. Throws `MemoryInUse`; nothing is unloaded in that case. */
  reserve(user: MemoryUser, bytes: number): Promise<void>
  /** Corrects a reservation once the actual figure is known. Unloads idle models if it has become too much. */
  correct(user: MemoryUser, bytes: number): void
  release(user: MemoryUser): void
}

/** Divides the memory among the models. The decision is made in one step, so models that load together cannot exceed it. */
export const createMemoryBudget = (limitBytes: number): MemoryBudget => {
  const reserved = new Map<MemoryUser, number>()
  /** Their memory is no longer counted, but not free yet. */
  const leaving = new Set<Promise<void>>()
  const excessBytes = (): number => [...reserved.values()].reduce((sum, bytes) => sum + bytes, -limitBytes)

  /** The idle models to unload so that so much is free; null if that is not possible. */
  const chooseIdle = (neededBytes: number, except: MemoryUser): MemoryUser[] | null => {
    const idle = [...reserved.keys()]
      .filter((user) => user !== except && user.isIdle())
      .sort((a, b) => Number(a.isDefault()) - Number(b.isDefault()) || a.lastUsedMs() - b.lastUsedMs())
    const chosen: MemoryUser[] = []
    let missing = neededBytes
    for (const user of idle) {
      if (missing <= 0) break
      chosen.push(user)
      missing -= reserved.get(user) ?? 0
    }
    return missing <= 0 ? chosen : null
  }
  const unload = (users: readonly MemoryUser[]): void => {
    for (const user of users) {
      reserved.delete(user)
      const gone = user.unload().finally(() => leaving.delete(gone))
      leaving.add(gone)
    }
  }

  return {
    limitBytes,
    async reserve(user, bytes) {
      reserved.delete(user)
      const chosen = chooseIdle(excessBytes() + bytes, user)
      if (chosen === null) throw new MemoryInUse()
      reserved.set(user, bytes)
      unload(chosen)
      await Promise.all(leaving)
    },
    correct(user, bytes) {
      if (!reserved.has(user)) return
      reserved.set(user, bytes)
      unload(chooseIdle(excessBytes(), user) ?? [])
    },
    release: (user) => void reserved.delete(user),
  }
}
