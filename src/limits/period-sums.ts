/**
 * Tokens or costs settled in days or months. A sum is read from the store once, when it is first needed, and then kept up to date
 * here. It is kept when the clock moves to another period: if the clock is set back, it applies again, so that no budget is
 * granted twice.
 */
export type PeriodSums = PeriodSum[]

type PeriodSum = {
  period: number
  total: number
  /** Null once it is loaded. */
  loading: Promise<void> | null
}

/** Enough for a clock that is set back and forth. */
const maxPeriods = 3

/** Null until it is loaded. */
export const sumOf = (sums: PeriodSums, period: number): number | null => {
  const sum = findSum(sums, period)
  return sum === undefined || sum.loading !== null ? null : sum.total
}

type Loading = {
  load(): Promise<number>
  /** Settled in the period and possibly not in the store yet. */
  pending: number
}

/** Concurrent callers share one load. */
export const loadSum = (sums: PeriodSums, period: number, { load, pending }: Loading): Promise<void> => {
  const known = findSum(sums, period)
  if (known !== undefined) return known.loading ?? Promise.resolve()
  const oldest = sums.length < maxPeriods ? undefined : sums.find(({ loading }) => loading === null)
  if (oldest !== undefined) remove(sums, oldest)
  // Amounts not yet written, or settled from now on, are added even if the store already includes them: counting twice
  // is safer than not counting.
  const sum: PeriodSum = { period, total: pending, loading: null }
  const loading = load().then(
    (total) => {
      sum.total += total
      sum.loading = null
    },
    (error: unknown) => {
      remove(sums, sum)
      throw error
    },
  )
  sum.loading = loading
  sums.push(sum)
  return loading
}

/** A sum that is not loaded yet will include it when it is read from the store. */
export const addToSum = (sums: PeriodSums, period: number, amount: number): void => {
  const sum = findSum(sums, period)
  if (sum !== undefined) sum.total += amount
}

export const isLoading = (sums: PeriodSums): boolean => sums.some(({ loading }) => loading !== null)

const findSum = (sums: PeriodSums, wanted: number): PeriodSum | undefined => {
  for (const sum of sums) if (sum.period === wanted) return sum
  return undefined
}

const remove = (sums: PeriodSums, sum: PeriodSum): void => {
  sums.splice(sums.indexOf(sum), 1)
}
