import type { Usage, UsageFigures, UsageLine } from '../../../../src/platform/contract/usage.ts'
import type { UsageMetric } from './usage-view.ts'

/** The sums of one hour, day or month, which averages have no place in. */
type SlotSums = { promptTokens: number; completionTokens: number; requests: number; failed: number; costMicros: number }
export type UsageSlot = SlotSums & { name: string; firstTokenMs: number | null; previous: SlotSums | null }

/** One line of a chart. */
export type ChartSeries = { id: string; line: UsageLine | null; values: readonly number[]; total: number }

export const readMetric = (figures: SlotSums, metric: UsageMetric): number =>
  metric === 'tokens'
    ? figures.promptTokens + figures.completionTokens
    : metric === 'requests'
      ? figures.requests
      : figures.costMicros

const nothing: SlotSums = { promptTokens: 0, completionTokens: 0, requests: 0, failed: 0, costMicros: 0 }

const add = (one: SlotSums, other: UsageFigures): SlotSums => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  requests: one.requests + other.requests,
  failed: one.failed + other.failed,
  costMicros: one.costMicros + other.costMicros,
})

/** Every slot of the period, those without requests included. */
export const buildSlots = ({ slots, data, previous }: Pick<Usage, 'slots' | 'data' | 'previous'>): UsageSlot[] => {
  const sums: UsageSlot[] = slots.map((name) => ({
    ...nothing,
    name,
    firstTokenMs: null,
    previous: previous === null ? null : nothing,
  }))
  for (const line of data) {
    const slot = sums[line.slot]
    if (slot === undefined) continue
    const before = slot.previous === null || line.previous === null ? slot.previous : add(slot.previous, line.previous)
    sums[line.slot] = { ...slot, ...add(slot, line), firstTokenMs: line.firstTokenMs, previous: before }
  }
  return sums
}

/** What is drawn, the largest first. */
export const buildSeries = ({ slots, data }: Pick<Usage, 'slots' | 'data'>, metric: UsageMetric): ChartSeries[] => {
  const found = new Map<string, { line: UsageLine; values: number[] }>()
  for (const line of data) {
    const id = line.series?.id ?? ''
    const { values } = found.get(id) ?? { values: slots.map(() => 0) }
    values[line.slot] = readMetric(line, metric)
    found.set(id, { line, values })
  }
  return [...found]
    .map(([id, { line, values }]) => ({ id, line, values, total: values.reduce((sum, value) => sum + value, 0) }))
    .sort((one, two) => Number(one.id === 'others') - Number(two.id === 'others') || two.total - one.total)
}
