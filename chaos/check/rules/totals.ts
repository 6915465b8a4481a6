import type { DayTotals, LedgerContents } from '../read-ledger.ts'
import type { Rule } from '../violation.ts'

/** The totals of each key, model and day are the sums of the settlements. */
export const totals: Rule = ({ ledger }) => {
  const counted = countedTotals(ledger)
  const kept = new Map(ledger.totals.map((row) => [nameOf(row), row]))
  return [...new Set([...counted.keys(), ...kept.keys()])].flatMap((name) => {
    const [sum, total] = [counted.get(name) ?? {}, kept.get(name) ?? {}]
    const text = (row: object): string => JSON.stringify(Object.entries(row).sort())
    return text(sum) === text(total)
      ? []
      : [
          {
            rule: 'totals',
            detail: `${name}: kept ${JSON.stringify(total)}, and the ledger gives ${JSON.stringify(sum)}`,
          },
        ]
  })
}

const nameOf = ({ party, day, model }: Pick<DayTotals, 'party' | 'day' | 'model'>): string =>
  `party ${party} on ${day} with ${model}`

const countedTotals = ({ records }: LedgerContents): Map<string, DayTotals> => {
  const sums = new Map<string, DayTotals>()
  for (const { party, model, settlements } of records)
    for (const { day, outcome, firstTokenMs, durationMs, ...counts } of settlements) {
      const name = nameOf({ party, day, model })
      const sum = sums.get(name) ?? { party, day, model, ...zero }
      sums.set(name, sum)
      sum.requests += 1
      if (outcome === 'failed' || outcome === 'server_died') sum.failed += 1
      if (outcome === 'client_closed') sum.clientClosed += 1
      sum.estimated += counts.isEstimated
      sum.cost += counts.cost ?? 0
      if (firstTokenMs !== null) sum.firstTokens += 1
      sum.firstTokenMs += firstTokenMs ?? 0
      sum.durationMs += durationMs
      sum.promptTokens += counts.promptTokens
      sum.cachedTokens += counts.cachedTokens
      sum.completionTokens += counts.completionTokens
      sum.reasoningTokens += counts.reasoningTokens
    }
  return sums
}

const zero = {
  requests: 0,
  failed: 0,
  clientClosed: 0,
  estimated: 0,
  cost: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  firstTokens: 0,
  firstTokenMs: 0,
  durationMs: 0,
}
