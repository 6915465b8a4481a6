import { blockTokens, lastSliceStart } from './batch-planner.ts'

/** The cached content of a sequence and its scope. */
export type HeldSequence = {
  sequence: number
  /** Only requests with the same scope may reuse the content. */
  scope: string | null
  tokens: readonly number[]
  /** The number of tokens after which the logits are known, that is at the end of the last prompt; null if there are none. */
  logitsAfter: number | null
  /** The prompt of the running answer, if there is one. */
  runningPrompt: readonly number[] | null
  /** The paused answer whose tokens these are: it needs them again. */
  pausedId?: number | null
  /** Higher is more recent. */
  lastUsed: number
}

export type SequenceChoice =
  /** `reusedTokens` of the prompt are cached already; with `copyFrom` they are copied from another sequence. */
  | { type: 'use'; sequence: number; reusedTokens: number; copyFrom: number | null }
  /** Another prompt with the same prefix is being read, and waiting for it is cheaper. */
  | { type: 'wait' }
  | { type: 'full' }

/**
 * Chooses the sequence for a prompt: the one that already contains most of it, or a copy if that one is running or
 * contains much more. Otherwise a free sequence is cleared, the least recently used of those next to a running one:
 * llama.cpp computes sequences together only if their numbers are consecutive.
 */
export const chooseCachedSequence = (
  sequences: readonly HeldSequence[],
  prompt: readonly number[],
  scope: string,
): SequenceChoice => {
  const spare = spareSequence(sequences)
  if (spare === null) return { type: 'full' }
  const free = sequences.filter((held) => held.runningPrompt === null && (held === spare || !isPaused(held)))
  // The spare sequence may be overwritten; a running one has to be copied.
  const cost = (held: HeldSequence): number => (held === spare ? 0 : held.runningPrompt === null ? 1 : 2)
  const same = sequences.filter((held) => held.scope === scope)
  const unread = same.flatMap(({ tokens, runningPrompt }) =>
    runningPrompt !== null && tokens.length < runningPrompt.length ? [runningPrompt] : [],
  )
  const [best] = same
    .map((held) => ({ held, reusedTokens: reusable(held, prompt) }))
    .sort(
      (one, other) =>
        other.reusedTokens - one.reusedTokens || cost(one.held) - cost(other.held) || byAge(other.held, one.held),
    )
  const reusedTokens = best?.reusedTokens ?? 0
  const soon = Math.max(0, ...unread.map((tokens) => reusable({ tokens, logitsAfter: tokens.length }, prompt)))
  if (soon > reusedTokens && soon >= blockTokens) return { type: 'wait' }
  if (best === undefined || reusedTokens === 0)
    return { type: 'use', sequence: spare.sequence, reusedTokens: 0, copyFrom: null }
  const { held } = best
  const isFree = free.includes(held)
  if (isFree && (free.length === 1 || held === spare || commonTokens(held.tokens, prompt) * 2 >= held.tokens.length))
    return { type: 'use', sequence: held.sequence, reusedTokens, copyFrom: null }
  // A copy moves a whole context in memory, which takes about as long as reading a block.
  if (reusedTokens < blockTokens) return { type: 'use', sequence: spare.sequence, reusedTokens: 0, copyFrom: null }
  return { type: 'use', sequence: spare.sequence, reusedTokens, copyFrom: held.sequence }
}

/** The free sequence that is given up; that of a paused answer only if there is no other. Null if none is free. */
export const spareSequence = (sequences: readonly HeldSequence[]): HeldSequence | null => {
  const free = sequences.filter(({ runningPrompt }) => runningPrompt === null)
  const [spare] = free.sort(
    (one, other) =>
      Number(isPaused(one)) - Number(isPaused(other)) ||
      measureGap(sequences, one) - measureGap(sequences, other) ||
      byAge(one, other),
  )
  return spare ?? null
}

const isPaused = ({ pausedId = null }: HeldSequence): boolean => pausedId !== null

/** 0 next to a running sequence or if none is running, otherwise 1. */
const measureGap = (sequences: readonly HeldSequence[], { sequence }: HeldSequence): number => {
  const running = sequences.filter(({ runningPrompt }) => runningPrompt !== null)
  return running.length === 0 || running.some((one) => Math.abs(one.sequence - sequence) === 1) ? 0 : 1
}

const byAge = (one: HeldSequence, other: HeldSequence): number => one.lastUsed - other.lastUsed

/**
 * All of the prompt if the logits after it are known, too. If only these are missing, they come from the same slice as before.
 * Otherwise blocks are read whole unless little is left.
 */
const reusable = (
  { tokens, logitsAfter }: Pick<HeldSequence, 'tokens' | 'logitsAfter'>,
  prompt: readonly number[],
): number => {
  const common = commonTokens(tokens, prompt)
  if (common === prompt.length) return logitsAfter === common ? common : lastSliceStart(common)
  return prompt.length - common < blockTokens ? common : Math.floor(common / blockTokens) * blockTokens
}

const commonTokens = (one: readonly number[], other: readonly number[]): number => {
  const max = Math.min(one.length, other.length)
  let common = 0
  while (common < max && one[common] === other[common]) common += 1
  return common
}
