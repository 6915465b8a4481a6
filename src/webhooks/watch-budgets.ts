import { dayOf } from '../base/calendar.ts'
import type { Clock } from '../base/clock.ts'
import { budgetNames, limitKinds } from '../config/limit-kinds.ts'
import type { ShownKey } from '../keys/key-registry.ts'
import type { LimitUse, UsageSnapshot } from '../limits/limiter-contract.ts'
import { periodAt, periodDays } from '../limits/period.ts'
import { type SettledSums, settledSum } from '../limits/settled-sum.ts'
import type { WebhookScope } from '../store/webhook-contract.ts'
import type { RaiseEvent } from './raise-events.ts'

/** Per cent of a budget, the highest first: only the highest that is reached is told. */
const thresholds = [100, 80, 50]
const dayMs = 86_400_000

type BudgetDependencies = { raise: RaiseEvent; usage: SettledSums; clock: Clock; timeZone: string }

type Budgeted = {
  /** Null: the budgets of the server. */
  organisationId: WebhookScope
  key: Pick<ShownKey, 'id' | 'name'> | null
}

/** Raises an event for each budget that has reached a threshold. What running requests have only reserved does not count. */
export const watchBudgets = async (
  { organisationId, key }: Budgeted,
  uses: UsageSnapshot['uses'],
  { raise, usage, clock, timeZone }: BudgetDependencies,
): Promise<void> => {
  for (const name of budgetNames) {
    const use = uses[name]
    if (use === undefined || reached(use.used, use) === null) continue
    const { unit, window, wireName } = limitKinds[name]
    const days = periodDays(periodAt(window, dayOf(clock.now(), timeZone)))
    const used = await settledSum(usage, unit, { organisationId, keyId: key?.id ?? null, ...days })
    const percent = reached(used, use)
    if (percent === null) continue
    const resetsAt = use.resetsAt ?? clock.now()
    await raise({
      ...{ scope: organisationId, type: 'budget.reached' },
      // A limit that was changed is another budget.
      about: `${key?.id ?? ''} ${wireName} ${use.limit} ${percent} ${resetsAt}`,
      until: resetsAt + dayMs,
      data: {
        ...{ organisation_id: organisationId, key_id: key?.id ?? null, key_name: key?.name ?? null },
        ...{ limit: wireName, percent, used, max: use.limit, resets_at: new Date(resetsAt).toISOString() },
      },
    })
  }
}

const reached = (used: number, { limit }: Pick<LimitUse, 'limit'>): number | null =>
  limit === 0 ? null : (thresholds.find((percent) => used * 100 >= limit * percent) ?? null)
