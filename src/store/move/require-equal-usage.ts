import { StoreFailure } from '../store-failure.ts'
import type { StoreTables } from './store-tables.ts'

/** Adds up the ledger on both sides: what `helix usage --verify` would say must be the same, word for word. */
export const requireEqualUsage = async (source: StoreTables, target: StoreTables): Promise<void> => {
  const [one, other] = (await Promise.all([source.verifyUsage(), target.verifyUsage()])).map(usageText)
  if (one !== other)
    throw new StoreFailure(
      `The usage totals in ${target.place} differ from those in ${source.place}: nothing was moved.`,
    )
}

/** Databases sort names differently. */
const usageText = ({ differences, ...rest }: Awaited<ReturnType<StoreTables['verifyUsage']>>): string =>
  JSON.stringify([rest, differences.map((difference) => JSON.stringify(difference)).sort()])
