import type { UsageRow, UsageTotals } from '../store/ledger-contract.ts'

export const usageGroups = ['day', 'key', 'model'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** The totals of one day, key or model. */
export type UsageSum = UsageTotals & Pick<UsageRow, 'day' | 'keyId' | 'model'>

export const noUsage: UsageTotals = {
  requests: 0,
  failed: 0,
  clientClosed: 0,
  estimated: 0,
  costMicros: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  firstTokens: 0,
  firstTokenMs: 0,
  timedTokens: 0,
  timedMs: 0,
  durationMs: 0,
}

export const addUsage = (one: UsageTotals, other: UsageTotals): UsageTotals => ({
  requests: one.requests + other.requests,
  failed: one.failed + other.failed,
  clientClosed: one.clientClosed + other.clientClosed,
  estimated: one.estimated + other.estimated,
  costMicros: one.costMicros + other.costMicros,
  promptTokens: one.promptTokens + other.promptTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  firstTokens: one.firstTokens + other.firstTokens,
  firstTokenMs: one.firstTokenMs + other.firstTokenMs,
  timedTokens: one.timedTokens + other.timedTokens,
  timedMs: one.timedMs + other.timedMs,
  durationMs: one.durationMs + other.durationMs,
})

export const sumUsage = (rows: readonly UsageTotals[]): UsageTotals => rows.reduce(addUsage, noUsage)

/** Days in order; keys and models by tokens, most first. */
export const summariseUsage = (rows: readonly UsageRow[], by: UsageGroup): UsageSum[] => {
  const groups = new Map<string | number | null, UsageSum>()
  for (const row of rows) {
    const name = by === 'day' ? row.day : by === 'key' ? row.keyId : row.model
    const sum = groups.get(name)
    groups.set(name, { day: row.day, keyId: row.keyId, model: row.model, ...addUsage(sum ?? noUsage, row) })
  }
  const sums = [...groups.values()]
  return by === 'day' ? sums.sort((a, b) => a.day - b.day) : sums.sort((a, b) => totalTokens(b) - totalTokens(a))
}

/** What is billed: prompt and completion tokens. */
export const totalTokens = ({ promptTokens, completionTokens }: UsageTotals): number => promptTokens + completionTokens
