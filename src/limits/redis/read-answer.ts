import { monthOf } from '../../base/calendar.ts'
import type { LimitedEntity } from '../limited-entity.ts'
import type { SlidingWindow } from '../sliding-window.ts'

/** What the script of a decision answers. */
export type Answer = {
  status: 'ok' | 'no' | 'load' | 'wait' | 'resync' | 'lost'
  /** The time of Redis. */
  nowMs: number
  tokens: number
  micros: number
  /** Sums that the ledger must be asked for. */
  loads: MissingSum[]
  /** Of each entity: its counters and three windows. */
  counters: readonly string[]
}

export type MissingSum = { id: string; period: number; what: 'tokens' | 'costMicros'; mark: string }

/** True of every answer, because the script is ours. */
export const readAnswer = (reply: unknown): Answer => {
  const [status, nowMs, tokens = '0', micros = '0', loads = '', ...counters] = reply as [Answer['status'], ...string[]]
  return {
    status,
    nowMs: Number(nowMs),
    tokens: Number(tokens),
    micros: Number(micros),
    loads: loads === '' ? [] : loads.split(',').map(readMissing),
    counters,
  }
}

const readMissing = (text: string): MissingSum => {
  const [id = '', period, what, mark = ''] = text.split(' ')
  return { id, period: Number(period), what: what === 't' ? 'tokens' : 'costMicros', mark }
}

/** Puts the counters of an answer in place of what was known of these entities. */
export const updateCounters = (entities: readonly LimitedEntity[], { counters }: Answer, day: number): void => {
  entities.forEach((entity, index) => {
    const [text = '', requests = '', settled = '', refused = ''] = counters.slice(4 * index, 4 * index + 4)
    const numbers = text.split(' ')
    const number = (at: number): number => Number(numbers[at])
    const sums = (at: number, period: number) =>
      numbers[at] === '' ? [] : [{ period, total: number(at), loading: null }]
    Object.assign(entity.counters, {
      entering: number(0),
      running: number(1),
      reserved: number(2),
      reservedMicros: number(3),
      requests: readWindow(number(6), number(7), requests),
      settled: readWindow(number(8), number(9), settled),
      refused: readWindow(number(10), number(11), refused),
      days: sums(12, day),
      months: sums(13, monthOf(day)),
      costDays: sums(14, day),
      costMonths: sums(15, monthOf(day)),
    } satisfies LimitedEntity['counters'])
  })
}

/** Without buckets, all counts until the last of it leaves. */
const readWindow = (total: number, lastMs: number, buckets: string): SlidingWindow => {
  if (buckets === '')
    return { buckets: total === 0 ? [] : [{ firstMs: lastMs, lastMs, amount: total }], first: 0, total }
  const read = buckets.split(',').map((text) => {
    const [last, amount] = text.split(' ')
    return { firstMs: Number(last), lastMs: Number(last), amount: Number(amount) }
  })
  return { buckets: read, first: 0, total }
}
