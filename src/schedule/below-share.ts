import type { SlotShares } from './slot-shares.ts'

type Weighted = { readonly ownerId: string; readonly weight: number }

/**
 * Tells which owners have fewer slots than their share of all. Owners share by the highest weight of their requests, running
 * or waiting.
 */
export const createBelowShare = (
  requests: Iterable<Weighted>,
  slots: Pick<SlotShares, 'slots' | 'heldBy'>,
): ((ownerId: string) => boolean) => {
  const weights = new Map<string, number>()
  for (const { ownerId, weight } of requests) weights.set(ownerId, Math.max(weight, weights.get(ownerId) ?? 0))
  const total = weights.values().reduce((sum, weight) => sum + weight, 0)
  return (ownerId) => slots.heldBy(ownerId) * total < slots.slots * (weights.get(ownerId) ?? 0)
}
