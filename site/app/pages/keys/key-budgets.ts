import { budgetNames, type LimitUnit, limitKinds } from '../../../../src/config/limit-kinds.ts'
import type { Key, LimitUse } from '../../../platform/types.ts'

export type KeyBudget = { unit: LimitUnit; period: 'day' | 'month'; use: LimitUse }

const units: readonly LimitUnit[] = ['tokens', 'money', 'requests']
const periods = ['month', 'day'] as const

const inOrder = budgetNames
  .map((name) => ({ name, unit: limitKinds[name].unit, period: limitKinds[name].window }))
  .toSorted(
    (one, other) =>
      units.indexOf(one.unit) - units.indexOf(other.unit) ||
      periods.indexOf(one.period) - periods.indexOf(other.period),
  )

/** The budgets that are set for a key: those in tokens first, and of a unit the longer period first. */
export const keyBudgets = ({ uses }: Pick<Key, 'uses'>): KeyBudget[] =>
  inOrder.flatMap(({ name, unit, period }) => {
    const use = uses[name]
    return use === undefined ? [] : [{ unit, period, use }]
  })
