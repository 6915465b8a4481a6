import { blockTokens, remainderStart } from './batch-planner.ts'

/** What a sequence holds in memory, and for whom. */
export type HeldSequence = {
  sequence: number
  /** Only requests of the same scope may reuse what it holds. */
  scope: string | null
  tokens: readonly number[]
  /** The prompt that is being read or was answered, where an answer runs. */
  runningPrompt: readonly number[] | null
  /** Higher is later. */
  lastUsed: number
}

export type SequenceChoice =
  /** `reusedTokens` of the prompt need not be read; where `copyFrom` is given they are another sequence's. */
  | { type: 'use'; sequence: number; reusedTokens: number; copyFrom: number | null }
  /** Another prompt with the same beginning is being read: it is worth waiting for. */
  | { type: 'wait' }
  | { type: 'full' }

/**
 * Where a prompt is read: in the sequence that already holds most of it, or behind a copy of one that does, where the other one
 * runs or holds much more than that. Otherwise what was used longest ago is forgotten.
 */
export const chooseCachedSequence = (
  sequences: readonly HeldSequence[],
  prompt: readonly number[],
  scope: string,
): SequenceChoice => {
  const free = sequences.filter(({ runningPrompt }) => runningPrompt === null)
  const [oldest] = [...free].sort(byAge)
  if (oldest === undefined) return { type: 'full' }
  const same = sequences.filter((held) => held.scope === scope)
  const [best] = same
    .map((held) => ({ held, reusedTokens: reusable(held.tokens, prompt) }))
    .sort((one, other) => other.reusedTokens - one.reusedTokens || byAge(other.held, one.held))
  const reusedTokens = best?.reusedTokens ?? 0
  const soon = Math.max(0, ...same.map(({ runningPrompt }) => reusable(runningPrompt ?? [], prompt)))
  if (soon > reusedTokens && soon >= blockTokens) return { type: 'wait' }
  if (best === undefined || reusedTokens === 0)
    return { type: 'use', sequence: oldest.sequence, reusedTokens: 0, copyFrom: null }
  const { held } = best
  const isFree = held.runningPrompt === null
  if (isFree && (free.length === 1 || held === oldest || commonTokens(held.tokens, prompt) * 2 >= held.tokens.length))
    return { type: 'use', sequence: held.sequence, reusedTokens, copyFrom: null }
  // A copy moves a whole context in memory, which takes about as long as reading a block.
  if (reusedTokens < blockTokens) return { type: 'use', sequence: oldest.sequence, reusedTokens: 0, copyFrom: null }
  return { type: 'use', sequence: oldest.sequence, reusedTokens, copyFrom: held.sequence }
}

const byAge = (one: HeldSequence, other: HeldSequence): number => one.lastUsed - other.lastUsed

/** At least the last token is read, for its logits; and blocks are read whole. */
const reusable = (held: readonly number[], prompt: readonly number[]): number => {
  const common = Math.min(commonTokens(held, prompt), prompt.length - 1)
  return common >= remainderStart(prompt.length) ? common : Math.floor(common / blockTokens) * blockTokens
}

const commonTokens = (one: readonly number[], other: readonly number[]): number => {
  const most = Math.min(one.length, other.length)
  let common = 0
  while (common < most && one[common] === other[common]) common += 1
  return common
}
