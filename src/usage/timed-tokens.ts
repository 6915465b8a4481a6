import type { Settlement } from '../store/ledger-contract.ts'

/** Tokens that came together, as those of an upstream that does not stream, or the last of a network's buffer, were not timed. */
const leastTimedMs = 50

/**
 * The tokens of an answer that were waited for, and how long; null if that cannot be said. The first token is where the time
 * begins, so it is not among them.
 */
export const timedTokens = ({
  completionTokens,
  firstTokenMs,
  durationMs,
}: Pick<Settlement, 'completionTokens' | 'firstTokenMs' | 'durationMs'>): { tokens: number; ms: number } | null =>
  firstTokenMs !== null && completionTokens > 1 && durationMs - firstTokenMs >= leastTimedMs
    ? { tokens: completionTokens - 1, ms: durationMs - firstTokenMs }
    : null
