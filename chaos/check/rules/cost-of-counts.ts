import type { LedgerRecord, SettlementRow } from '../read-ledger.ts'
import type { Rule, Violation } from '../violation.ts'

/** Every settlement costs what its counts cost at the price of its reservation, rounded up, and without a price nothing. */
export const costOfCounts: Rule = ({ ledger }) =>
  ledger.records.flatMap((record) => record.settlements.flatMap((settlement) => violationOf(record, settlement)))

const violationOf = (record: LedgerRecord, settlement: SettlementRow): Violation[] => {
  const expected = record.price === null ? null : Number(exactCost(record.price, settlement))
  if (settlement.cost === expected) return []
  return [
    {
      rule: 'cost',
      detail: `${record.requestId}: settled at a cost of ${settlement.cost}, and its counts cost ${expected} at its price`,
    },
  ]
}

const exactCost = (price: string, { promptTokens, cachedTokens, completionTokens }: SettlementRow): bigint => {
  const [prompt = 0n, cached = 0n, completion = 0n] = asNumbers(JSON.parse(price)).map(BigInt)
  const millionths =
    BigInt(promptTokens - cachedTokens) * prompt + BigInt(cachedTokens) * cached + BigInt(completionTokens) * completion
  return (millionths + 999_999n) / 1_000_000n
}

/** Sound because the program writes three integers. */
const asNumbers = (value: unknown): number[] => value as number[]
