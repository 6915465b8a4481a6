import type { RequestFilter, RequestLogRecords, RequestPlace } from '../../store/request-log-contract.ts'
import type { RequestTimesSummary } from '../contract/requests.ts'

/** Few enough that reading them delays nothing else. */
const foundAtOnce = 500
const maxSearches = 10

/** Percentiles of the newest requests that pass the filter, of those that were let in and have ended. */
export const summariseTimes = async (
  filter: Omit<RequestFilter, 'before' | 'limit'>,
  requestLog: Pick<RequestLogRecords, 'search'>,
): Promise<RequestTimesSummary> => {
  const times: { firstTokenMs: number | null; durationMs: number }[] = []
  let before: RequestPlace | null = null
  for (let searches = 0; searches < maxSearches; searches += 1) {
    const page = await requestLog.search({ ...filter, before, limit: foundAtOnce })
    times.push(...page.rows.flatMap((row) => ('settlement' in row ? (row.settlement ?? []) : [])))
    before = page.next
    if (before === null) break
  }
  return {
    counted: times.length,
    isComplete: before === null,
    firstTokenMs: computePercentiles(times.flatMap(({ firstTokenMs }) => firstTokenMs ?? [])),
    durationMs: computePercentiles(times.map(({ durationMs }) => durationMs)),
  }
}

/** Nearest rank: each is a time that was measured. */
export const computePercentiles = (values: number[]): RequestTimesSummary['durationMs'] => {
  const sorted = values.toSorted((one, two) => one - two)
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  return sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
