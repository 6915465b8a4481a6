import { createLiveList } from '../base/live-list.ts'
import type { LimitUnit } from '../config/limit-kinds.ts'
import { type Amount, amountIn } from './usage-counters.ts'

/** What was settled for these keys, organisations and the server. */
type Settled = Amount & { ids: readonly string[]; day: number }

export type PendingWrites = ReturnType<typeof createPendingWrites>

/** What was settled and may not be in the store yet: a sum that is read there does not include all of it. */
export const createPendingWrites = () => {
  const pending = createLiveList<Settled>()
  return {
    /** Until `written` is resolved or rejected. */
    add(settled: Settled, written: Promise<unknown>): void {
      const remove = pending.add(settled)
      written.then(remove, remove)
    },
    sumOf(id: string, unit: LimitUnit, isInPeriod: (day: number) => boolean): number {
      let sum = 0
      for (const one of pending.items()) if (isInPeriod(one.day) && one.ids.includes(id)) sum += amountIn(unit, one)
      return sum
    },
  }
}
