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
  /**
   * Reserves main memory and memory of the GPU, unloading idle models if necessary. Throws `MemoryInUse`; nothing is unloaded in
   * that case. What cannot fit on the GPU even if it is empty counts as main memory: those layers run on the CPU.
   */
  reserve(user: MemoryUser, bytes: number, gpuBytes?: number): Promise<void>
  /** Corrects a reservation once the actual figures are known. Unloads idle models if it has become too much. */
  correct(user: MemoryUser, bytes: number, gpu?: GpuFigures): void
  release(user: MemoryUser): void
}

/** `gpuFreeBytes`: before it was loaded; until the first such figure, the GPU has no limit. */
type GpuFigures = { gpuBytes?: number; gpuFreeBytes?: number }
type Amounts = { main: number; gpu: number }

/** Divides the memory among the models. The decision is made in one step, so models that load together cannot exceed it. */
export const createMemoryBudget = (limitBytes: number): MemoryBudget => {
  const limits: Amounts = { main: limitBytes, gpu: Number.POSITIVE_INFINITY }
  const reserved = new Map<MemoryUser, Amounts>()
  /** Their memory is no longer counted, but not free yet. */
  const leaving = new Set<Promise<void>>()
  /** What is missing if so much more is needed; negative if something is left. */
  const missingFor = (more: Amounts): Amounts => {
    const missing = { main: more.main - limits.main, gpu: more.gpu - limits.gpu }
    for (const { main, gpu } of reserved.values()) {
      missing.main += main
      missing.gpu += gpu
    }
    return missing
  }
  const amounts = (bytes: number, gpuBytes: number): Amounts => {
    const gpu = Math.min(gpuBytes, limits.gpu)
    return { main: bytes + gpuBytes - gpu, gpu }
  }

  /** The idle models to unload so that nothing is missing; null if that is not possible. */
  const chooseIdle = (missing: Amounts, except: MemoryUser): MemoryUser[] | null => {
    const idle = [...reserved]
      .filter(([user]) => user !== except && user.isIdle())
      .sort(([a], [b]) => Number(a.isDefault()) - Number(b.isDefault()) || a.lastUsedMs() - b.lastUsedMs())
    const chosen: MemoryUser[] = []
    let { main, gpu } = missing
    for (const [user, held] of idle) {
      // Another one may have nothing of what is missing.
      if (!(main > 0 && held.main > 0) && !(gpu > 0 && held.gpu > 0)) continue
      chosen.push(user)
      main -= held.main
      gpu -= held.gpu
    }
    return main <= 0 && gpu <= 0 ? chosen : null
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
    async reserve(user, bytes, gpuBytes = 0) {
      reserved.delete(user)
      const needed = amounts(bytes, gpuBytes)
      const chosen = chooseIdle(missingFor(needed), user)
      if (chosen === null) throw new MemoryInUse()
      reserved.set(user, needed)
      unload(chosen)
      await Promise.all(leaving)
    },
    correct(user, bytes, { gpuBytes = 0, gpuFreeBytes } = {}) {
      if (!reserved.has(user)) return
      reserved.set(user, { main: bytes, gpu: gpuBytes })
      if (gpuFreeBytes !== undefined) {
        const others = [...reserved].filter(([other]) => other !== user)
        limits.gpu = others.reduce((sum, [, { gpu }]) => sum + gpu, gpuFreeBytes)
      }
      unload(chooseIdle(missingFor({ main: 0, gpu: 0 }), user) ?? [])
    },
    release: (user) => void reserved.delete(user),
  }
}
