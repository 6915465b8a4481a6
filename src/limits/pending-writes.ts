/** What was settled and is on its way to the store: a sum that is read there may not have it yet. */
export type PendingWrites = Set<Settled>

/** `ids` are those of everybody for whom it counts. */
type Settled = { ids: readonly string[]; day: number; tokens: number }

export const holdPendingWrite = (pendingWrites: PendingWrites, settled: Settled, written: Promise<unknown>): void => {
  pendingWrites.add(settled)
  const letGo = (): void => {
    pendingWrites.delete(settled)
  }
  written.then(letGo, letGo)
}

export const pendingTokensOf = (
  pendingWrites: PendingWrites,
  id: string,
  isInside: (day: number) => boolean,
): number => {
  let sum = 0
  for (const { ids, day, tokens } of pendingWrites) if (isInside(day) && ids.includes(id)) sum += tokens
  return sum
}
