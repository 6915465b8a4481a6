import type { RequestCounts, ReservationRecord, Settlement } from '../store/ledger-contract.ts'

/** The speed of fewer tokens is that of the connection. */
const leastTimedTokens = 20
/** Tokens that arrive within less time came together: from a buffer, or from an upstream that does not stream. */
const leastTimedMs = 200

/** Whether the speed of an answer can be told from its tokens and the time from the first of them to the last. */
export const isTimed = (completionTokens: number, ms: number): boolean =>
  completionTokens >= leastTimedTokens && ms >= leastTimedMs

type Timed = Pick<Settlement, 'outcome' | 'route' | 'firstTokenMs' | 'durationMs'>

/**
 * How long the tokens of an answer took after the first, which is where the time begins; null if its speed cannot be told. That of
 * an upstream's answer is measured where it arrives, so that hooks and slow readers are no part of it.
 */
export const measureTimedMs = (
  { stream, cachedFrom }: Pick<ReservationRecord, 'stream' | 'cachedFrom'>,
  { completionTokens }: Pick<RequestCounts, 'completionTokens'>,
  { outcome, route, firstTokenMs, durationMs }: Timed,
): number | null => {
  if (!stream || cachedFrom !== undefined || outcome !== 'completed' || firstTokenMs === null) return null
  const ms = route === undefined ? durationMs - firstTokenMs : (route.timing?.answerMs ?? 0)
  return isTimed(completionTokens, ms) ? ms : null
}
