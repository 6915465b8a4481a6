import type { UsageTotals } from '../../store/ledger-contract.ts'
import { addUsage, noUsage, totalTokens } from '../../usage/summarise.ts'
import type { UsageSeries, UsageUnit } from '../contract/usage-groups.ts'
import type { CountedUsage } from './count-usage.ts'

/** More series could not be told apart in a chart; those with the fewest tokens are shown together. */
const maxSeries = 10
/** The maximum in a table without a chart. */
const maxLines = 1000

export type CountedLine = {
  slot: number
  /** Empty unless split into series. */
  series: string
  now: UsageTotals
  /** Null unless compared. */
  before: UsageTotals | null
}

type Time = 'now' | 'before'
type Cell = { slot: number; series: string; now: UsageTotals; before: UsageTotals }

/** Adds up what was counted by slot and series, now and in the previous period. */
export const createUsageLines = (unit: UsageUnit, by: UsageSeries, findAccount: (keyId: string) => string | null) => {
  const cells = new Map<string, Cell>()
  const addTo = (at: Map<string, Cell>, name: string, slot: number, series: string, part: Partial<Cell>): void => {
    const { now, before } = at.get(name) ?? { now: noUsage, before: noUsage }
    const sums = { now: addUsage(now, part.now ?? noUsage), before: addUsage(before, part.before ?? noUsage) }
    at.set(name, { slot, series, ...sums })
  }
  const add =
    (time: Time) =>
    (counted: CountedUsage): void => {
      const series = seriesName(by, counted, findAccount)
      addTo(cells, `${counted.slot} ${series}`, counted.slot, series, { [time]: counted })
    }
  const finish = (isCompared: boolean): CountedLine[] => {
    const sums = new Map<string, Cell>()
    for (const cell of cells.values()) addTo(sums, cell.series, 0, cell.series, cell)
    const ranked = [...sums.values()].sort(byTokens).map(({ series }) => series)
    const ranks = new Map(ranked.map((series, rank) => [series, rank]))
    const max = unit === 'total' ? maxLines : maxSeries
    const merged = new Map<string, Cell>()
    for (const cell of cells.values()) {
      const isOwn = ranked.length <= max || (ranks.get(cell.series) ?? 0) < max - 1
      const series = isOwn ? cell.series : others
      addTo(merged, `${cell.slot} ${series}`, cell.slot, series, cell)
    }
    return [...merged.values()]
      .sort((one, two) => one.slot - two.slot || rank(ranks, one) - rank(ranks, two))
      .map(({ before, ...cell }) => ({ ...cell, before: isCompared ? before : null }))
  }
  return { addNow: add('now'), addBefore: add('before'), finish }
}

const others = 'others'

const rank = (ranks: ReadonlyMap<string, number>, { series }: Cell): number =>
  series === others ? Number.MAX_SAFE_INTEGER : (ranks.get(series) ?? 0)

const byTokens = (one: Cell, two: Cell): number =>
  totalTokens(two.now) - totalTokens(one.now) ||
  two.now.requests - one.now.requests ||
  totalTokens(two.before) - totalTokens(one.before)

/** A request belongs to the creator of its key. Requests of the playground are recorded without a person. */
const seriesName = (
  by: UsageSeries,
  { keyId, model, endpoint, outcome }: CountedUsage,
  findAccount: (keyId: string) => string | null,
): string => {
  if (by === 'none') return ''
  if (by === 'model') return model ?? 'unknown'
  if (by === 'endpoint') return endpoint ?? 'unknown'
  if (by === 'status') return outcome ?? 'unknown'
  if (keyId === null) return 'playground'
  return by === 'key' ? keyId : (findAccount(keyId) ?? 'unknown')
}
