/** What was settled and is on its way to the store: a sum that is read there may not have it yet. */
export type Unwritten = Set<Settled>

/** `ids` are those of everybody for whom it counts. */
type Settled = { ids: readonly string[]; day: number; tokens: number }

export const holdUnwritten = (unwritten: Unwritten, settled: Settled, written: Promise<unknown>): void => {
  unwritten.add(settled)
  const letGo = (): void => {
    unwritten.delete(settled)
  }
  written.then(letGo, letGo)
}

export const unwrittenTokens = (unwritten: Unwritten, id: string, isInside: (day: number) => boolean): number => {
  let sum = 0
  for (const { ids, day, tokens } of unwritten) if (isInside(day) && ids.includes(id)) sum += tokens
  return sum
}
