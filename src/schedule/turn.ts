import { tokenCost } from './token-cost.ts'

/** What an answer may generate, or read of its prompt, before another owner that waits may have its slot. */
const turnTokens = 32
export const turnCost = tokenCost({ promptTokens: 0, cachedTokens: 0, completionTokens: turnTokens })
/** A turn ends after this time, too: a long prompt or a slow model must not make it longer. */
export const turnMs = 2_000
/** A paused answer then goes before all others, except that a new one may go between two such. */
export const maxPauseMs = 10_000

/** A turn is as much longer as the weight is higher, within bounds: a newcomer waits for it. */
const [minWeight, maxWeight] = [1 / 4, 4]
export const weightedTurnCost = (weight: number): number => turnCost * Math.min(maxWeight, Math.max(minWeight, weight))
