import type { LedgerRow } from '../store/ledger-contract.ts'

export type RecentSpeed = {
  /** Requests that ended in this time. */
  requests: number
  failed: number
  /** Of all answers together. */
  tokensPerSecond: number
  /** Of one answer, from its first token on; null if none was measured (`measureTimedMs`). */
  answerTokensPerSecond: number | null
  /** Averages; null if no request got that far. */
  firstTokenMs: number | null
  queueMs: number | null
}

/** The speed of requests that ended within the last `spanMs`, according to the ledger. */
export const recentSpeed = (rows: readonly LedgerRow[], now: number, spanMs: number): RecentSpeed => {
  const ended = rows.flatMap(({ settlement }) =>
    settlement !== null && settlement.endedAt > now - spanMs ? [settlement] : [],
  )
  const tokens = sum(ended.map(({ completionTokens }) => completionTokens))
  const timed = ended.flatMap(({ completionTokens, timedMs: ms }) =>
    ms === undefined ? [] : [{ tokens: completionTokens - 1, ms }],
  )
  return {
    requests: ended.length,
    failed: ended.filter(({ outcome }) => outcome === 'failed').length,
    tokensPerSecond: (tokens * 1000) / spanMs,
    answerTokensPerSecond:
      timed.length === 0 ? null : (sum(timed.map((each) => each.tokens)) / sum(timed.map(({ ms }) => ms))) * 1000,
    firstTokenMs: average(ended.map(({ firstTokenMs }) => firstTokenMs)),
    queueMs: average(ended.map(({ queueMs }) => queueMs)),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const average = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : sum(known) / known.length
}
