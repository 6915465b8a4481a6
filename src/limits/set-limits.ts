import {
  budgetNames,
  isBudget,
  type LimitName,
  type Limits,
  type LimitUnit,
  type LimitWindow,
  limitKinds,
  limitNames,
} from '../config/limit-kinds.ts'

/** A limit that is set, as the checks read it. */
export type SetLimit = {
  name: LimitName
  unit: LimitUnit
  window: LimitWindow
  max: number
  /**
   * For a budget: the index of its settled sum in the `sums` of `UsageCounters`. For a rate: -1, with which no array
   * should be accessed, because that is slow.
   */
  sumIndex: number
}

const built = new WeakMap<Limits, readonly SetLimit[]>()

/**
 * The limits that are set, in display order; 0 means none. The same limits give the same list: an admission reads it
 * several times for each of three entities, and looking up limits by varying names would take longer than the decision.
 */
export const listSetLimits = (limits: Limits): readonly SetLimit[] => {
  const known = built.get(limits)
  if (known !== undefined) return known
  const set = limitNames.flatMap((name): SetLimit[] => {
    const max = limits[name]
    const { unit, window } = limitKinds[name]
    const sumIndex = isBudget(name) ? budgetNames.indexOf(name) : -1
    return max === null || max === 0 ? [] : [{ name, unit, window, max, sumIndex }]
  })
  built.set(limits, set)
  return set
}

/** The limit of this unit and window; null if it is not set. */
export const findLimit = (limits: readonly SetLimit[], unit: LimitUnit, window: LimitWindow): SetLimit | null => {
  for (const limit of limits) if (limit.unit === unit && limit.window === window) return limit
  return null
}
