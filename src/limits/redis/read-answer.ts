import { type BudgetName, budgetNames, type LimitUnit, limitKinds } from '../../config/limit-kinds.ts'
import type { LimitedEntity } from '../limited-entity.ts'
import { periodAt } from '../period.ts'
import type { PeriodSums } from '../period-sums.ts'
import type { SlidingWindow } from '../sliding-window.ts'
import { shownCounters } from './scripts/decide-script.ts'
import { unitOfLetter } from './scripts/unit-letters.ts'

/** What the script of a decision answers. */
export type ScriptAnswer = {
  status: 'ok' | 'no' | 'load' | 'wait' | 'resync' | 'lost'
  /** The time of Redis. */
  nowMs: number
  tokens: number
  micros: number
  /** Sums that the ledger must be asked for. */
  loads: MissingSum[]
  /** For each entity: its counters and three windows. */
  counters: readonly string[]
}

export type MissingSum = { id: string; period: number; unit: LimitUnit; mark: string }

/** True of every answer, because the script is ours. */
const asReply = (reply: unknown): [ScriptAnswer['status'], ...string[]] =>
  reply as [ScriptAnswer['status'], ...string[]]

export const readAnswer = (reply: unknown): ScriptAnswer => {
  const [status, nowMs, tokens = '0', micros = '0', loads = '', ...counters] = asReply(reply)
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
  const [id = '', period, letter = '', mark = ''] = text.split(' ')
  return { id, period: Number(period), unit: unitOfLetter(letter), mark }
}

/** Replaces the known counters of these entities by those of an answer. */
export const updateCounters = (entities: readonly LimitedEntity[], { counters }: ScriptAnswer, day: number): void => {
  entities.forEach((entity, index) => {
    const [text = '', requests = '', settled = '', refused = ''] = counters.slice(4 * index, 4 * index + 4)
    const numbers = text.split(' ')
    const number = (name: (typeof shownCounters)[number]): number => Number(numbers[shownCounters.indexOf(name)])
    const readSums = (index: number, budget: BudgetName): PeriodSums => {
      const total = numbers[shownCounters.length + index]
      const period = periodAt(limitKinds[budget].window, day)
      return total === undefined || total === '' ? [] : [{ period, total: Number(total), loading: null }]
    }
    entity.counters.entering = number('n')
    entity.counters.running = number('g')
    entity.counters.reserved = number('v')
    entity.counters.reservedMicros = number('m')
    entity.counters.requests = readWindow(number('rt'), number('rl'), requests)
    entity.counters.settled = readWindow(number('st'), number('sl'), settled)
    entity.counters.refused = readWindow(number('ft'), number('fl'), refused)
    entity.counters.sums = budgetNames.map((budget, index) => readSums(index, budget))
  })
}

/** Without buckets, the whole total counts until its last amount leaves the window. */
const readWindow = (total: number, lastMs: number, buckets: string): SlidingWindow => {
  if (buckets === '')
    return { buckets: total === 0 ? [] : [{ firstMs: lastMs, lastMs, amount: total }], first: 0, total }
  const read = buckets.split(',').map((text) => {
    const [last, amount] = text.split(' ')
    return { firstMs: Number(last), lastMs: Number(last), amount: Number(amount) }
  })
  return { buckets: read, first: 0, total }
}
