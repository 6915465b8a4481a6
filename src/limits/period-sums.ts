/**
 * Tokens settled in days, or in months, as far as somebody asked for them. A sum is read from the store once, and then
 * kept up to date here. It stays known when the clock goes on to another period: when the clock is set back, it counts
 * again, so that no period gives its budget twice.
 */
export type PeriodSums = PeriodSum[]

type PeriodSum = {
  period: number
  tokens: number
  /** Null once the store has answered. */
  loading: Promise<void> | null
}

/** Enough for a clock that is set to and fro. */
const mostPeriods = 3

/** Null while it has to be waited for. */
export const sumOf = (sums: PeriodSums, period: number): number | null => {
  const sum = findSum(sums, period)
  return sum === undefined || sum.loading !== null ? null : sum.tokens
}

type Loading = {
  ask(): Promise<number>
  /** What was settled in the period and is on its way to the store. */
  pendingTokens: number
}

/** Those who ask while the store is being asked wait for the same answer. */
export const loadSum = (sums: PeriodSums, period: number, { ask, pendingTokens }: Loading): Promise<void> => {
  const known = findSum(sums, period)
  if (known !== undefined) return known.loading ?? Promise.resolve()
  const oldest = sums.length < mostPeriods ? undefined : sums.find(({ loading }) => loading === null)
  if (oldest !== undefined) remove(sums, oldest)
  // What is on its way, and what is settled from now on, is added whether the answer has it or not: rather twice than never.
  const sum: PeriodSum = { period, tokens: pendingTokens, loading: null }
  const loading = ask().then(
    (tokens) => {
      sum.tokens += tokens
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

/** Where nobody asked for the period yet, the store will have it when somebody does. */
export const addToSum = (sums: PeriodSums, period: number, tokens: number): void => {
  const sum = findSum(sums, period)
  if (sum !== undefined) sum.tokens += tokens
}

export const isLoading = (sums: PeriodSums): boolean => sums.some(({ loading }) => loading !== null)

const findSum = (sums: PeriodSums, wanted: number): PeriodSum | undefined =>
  sums.find(({ period }) => period === wanted)

const remove = (sums: PeriodSums, sum: PeriodSum): void => {
  sums.splice(sums.indexOf(sum), 1)
}
