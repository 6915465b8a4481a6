import { requestEndpoints, requestOutcomes } from '../../../../src/platform/contract/request-kinds.ts'
import type { RequestFilterQuery, ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { choice, day, text, type ViewOf } from '../../address/view-fields.ts'
import { startOfDay } from '../../time/start-of-day.ts'

/** What is shown; an empty word is no condition. `key` is an id, or `playground`. */
export const requestView = {
  /** Part of the id of a request, or of its error. */
  q: text(),
  key: text(64),
  model: text(100),
  endpoint: choice(['', ...requestEndpoints], ''),
  outcome: choice(['', ...requestOutcomes], ''),
  /** Days by the reader's calendar. */
  from: day(),
  until: day(),
}
export type RequestFilter = ViewOf<typeof requestView>

export const noFilter: RequestFilter = { q: '', key: '', model: '', endpoint: '', outcome: '', from: '', until: '' }

/**
 * The server's filter, repeated for rows that arrive through the stream. Which errors a text means only the server knows:
 * new requests do not appear while one is searched for.
 */
export const passes = ({ keyId, model, endpoint, outcome, startedAt }: ShownRequest, filter: RequestFilter): boolean =>
  (filter.key === '' || filter.key === (keyId ?? 'playground')) &&
  (filter.model === '' || filter.model === model) &&
  (filter.endpoint === '' || filter.endpoint === endpoint) &&
  (filter.outcome === '' || filter.outcome === outcome) &&
  startedAt >= (startOfDay(filter.from) ?? 0) &&
  startedAt < (startOfDay(filter.until, 1) ?? Number.POSITIVE_INFINITY)

/** The stream can keep it up to date. */
export const canFollow = ({ q }: RequestFilter): boolean => q.trim() === ''

export const isFiltered = (filter: RequestFilter): boolean => Object.values(filter).some((value) => value !== '')

/** The filter as the server reads it. */
export const filterQuery = ({ q, key, model, endpoint, outcome, from, until }: RequestFilter): RequestFilterQuery => {
  const [since, end] = [startOfDay(from), startOfDay(until, 1)]
  return {
    ...(key === '' ? {} : { key }),
    ...(model === '' ? {} : { model }),
    ...(endpoint === '' ? {} : { endpoint }),
    ...(outcome === '' ? {} : { outcome }),
    ...(q.trim() === '' ? {} : { text: q.trim() }),
    ...(since === null ? {} : { since }),
    ...(end === null ? {} : { until: end }),
  }
}
