import type { Clock } from '../../base/clock.ts'
import type { UpstreamUseRecords, UpstreamUseTotals } from '../../store/upstream-contract.ts'
import type { UpstreamPeriod } from '../contract/upstream-periods.ts'
import type { UpstreamFiguresShown } from '../contract/upstreams.ts'

export type UpstreamFiguresDependencies = {
  records: Pick<UpstreamUseRecords, 'list'>
  clock: Clock
  currency: string
}

const hourMs = 3_600_000
/** Parts of the period that are shown, and their length. */
const periods = {
  day: { slots: 24, hoursPerSlot: 1 },
  week: { slots: 28, hoursPerSlot: 6 },
  month: { slots: 30, hoursPerSlot: 24 },
} as const satisfies Record<UpstreamPeriod, { slots: number; hoursPerSlot: number }>
/** More upstreams and models than anybody reads. */
const maxRows = 200

type Shown = UpstreamFiguresShown['data'][number]
type Slot = Shown['slots'][number]
type Counted = { upstream: string; model: string; total: UpstreamUseTotals; slots: Slot[] }

/** What each upstream did with each of its models. */
export const createUpstreamFigures =
  ({ records, clock, currency }: UpstreamFiguresDependencies) =>
  async (period: UpstreamPeriod): Promise<UpstreamFiguresShown> => {
    const { slots, hoursPerSlot } = periods[period]
    const toHour = Math.floor(clock.now() / hourMs)
    const fromHour = toHour - slots * hoursPerSlot + 1
    const rows = await records.list({ fromHour, toHour, hoursPerSlot, limit: maxRows * slots })
    const byModel = new Map<string, Counted>()
    for (const { upstream, model, slot, ...totals } of rows) {
      const key = JSON.stringify([upstream, model])
      const known = byModel.get(key)
      const one = known ?? { upstream, model, total: totals, slots: emptySlots(slots) }
      if (known === undefined) byModel.set(key, one)
      else one.total = sumOf(one.total, totals)
      one.slots[slot] = figuresOfTime(totals)
    }
    return { currency, hoursPerSlot, data: [...byModel.values()].slice(0, maxRows).map(figuresJson) }
  }

const emptySlots = (count: number): Counted['slots'] =>
  Array.from({ length: count }, () => ({
    ...{ requests: 0, errors: 0, firstTokenMs: null, tokensPerSecond: null, costMicros: 0 },
  }))

const sumOf = (one: UpstreamUseTotals, other: UpstreamUseTotals): UpstreamUseTotals => ({
  requests: one.requests + other.requests,
  errors: one.errors + other.errors,
  firstTokens: one.firstTokens + other.firstTokens,
  firstTokenMs: one.firstTokenMs + other.firstTokenMs,
  timedTokens: one.timedTokens + other.timedTokens,
  timedMs: one.timedMs + other.timedMs,
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  costMicros: one.costMicros + other.costMicros,
})

const figuresJson = ({ upstream, model, total, slots }: Counted): Shown => {
  const { promptTokens, completionTokens } = total
  return { upstream, model, ...figuresOfTime(total), promptTokens, completionTokens, slots }
}

const figuresOfTime = (total: UpstreamUseTotals): Slot => {
  const { requests, errors, firstTokens, firstTokenMs, timedTokens, timedMs, costMicros } = total
  return {
    ...{ requests, errors, costMicros },
    firstTokenMs: firstTokens === 0 ? null : Math.round(firstTokenMs / firstTokens),
    tokensPerSecond: timedMs === 0 ? null : Math.round((timedTokens * 10_000) / timedMs) / 10,
  }
}
