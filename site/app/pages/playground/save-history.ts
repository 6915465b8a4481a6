import type { Playground } from './playground.ts'

/** Saves what the history has not yet, also if its script is still on its way. False if that failed. */
export const saveHistory = async (playground: Playground): Promise<boolean> => {
  // Nothing was said: there is nothing to keep, and no script to load for it.
  if (!playground.isKept && playground.store.read().turns.length === 0) return true
  const history = await playground.openHistory()
  return (await history?.flush()) ?? false
}
