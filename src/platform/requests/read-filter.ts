import type { RequestFilter } from '../../store/request-log-contract.ts'
import type { RequestFilterQuery } from '../contract/requests.ts'
import { errorsMatching } from './errors-matching.ts'

type AskedFilter = Omit<RequestFilter, 'before' | 'limit'>

/** What to search for in the log, of what was asked. */
export const readFilter = (organisationId: string, { key, text, ...filter }: RequestFilterQuery): AskedFilter => {
  const sought = text?.trim() ?? ''
  return {
    organisationId,
    ...filter,
    ...(key === undefined ? {} : { keyId: key === 'playground' ? null : key }),
    ...(sought === '' ? {} : { matching: { requestId: sought, errors: errorsMatching(sought) } }),
  }
}
