/** Tokens that were settled for these keys, organisations and the server. */
type Settled = { ids: readonly string[]; day: number; tokens: number }

export type PendingWrites = ReturnType<typeof createPendingWrites>

/** Settled tokens that may not be in the store yet: a sum that is read there does not include all of them. */
export const createPendingWrites = () => {
  const pending = new Set<Settled>()
  return {
    /** Until `written` is resolved or rejected. */
    add(settled: Settled, written: Promise<unknown>): void {
      pending.add(settled)
      const remove = (): void => void pending.delete(settled)
      written.then(remove, remove)
    },
    tokensOf(id: string, isInPeriod: (day: number) => boolean): number {
      let sum = 0
      for (const { ids, day, tokens } of pending) if (isInPeriod(day) && ids.includes(id)) sum += tokens
      return sum
    },
  }
}
