import type { LoggedRequest, RequestFilter } from '../../request-log-contract.ts'

/** Whether a request matches the filter. The start of the period is compared elsewhere, where the search ends. */
export const isWanted = (row: LoggedRequest, wanted: RequestFilter): boolean =>
  (wanted.keyId === undefined || wanted.keyId === row.keyId) &&
  (wanted.model === undefined || wanted.model === row.model) &&
  (wanted.endpoint === undefined || wanted.endpoint === row.endpoint) &&
  (wanted.outcome === undefined || wanted.outcome === requestOutcome(row)) &&
  (wanted.error === undefined || wanted.error === requestError(row)) &&
  (wanted.until === undefined || row.createdAt < wanted.until) &&
  (wanted.matching === undefined || isMatching(row, wanted.matching))

const isMatching = (row: LoggedRequest, { requestId, errors }: NonNullable<RequestFilter['matching']>): boolean =>
  row.requestId.includes(requestId) || errors.includes(requestError(row) ?? '')

const requestOutcome = (row: LoggedRequest): RequestFilter['outcome'] =>
  'settlement' in row ? (row.settlement?.outcome ?? 'running') : 'refused'

const requestError = (row: LoggedRequest): string | null | undefined =>
  'settlement' in row ? row.settlement?.error : row.error
