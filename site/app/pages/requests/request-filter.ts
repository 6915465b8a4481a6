import { requestOutcomes } from '../../../../src/platform/contract/request-outcomes.ts'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { choice, text, type ViewOf } from '../../address/view-fields.ts'

/** What is shown; an empty word is no condition. `key` is an id, or `playground`. */
export const requestView = { key: text(64), model: text(100), outcome: choice(['', ...requestOutcomes], '') }
export type RequestFilter = ViewOf<typeof requestView>

export const noFilter: RequestFilter = { key: '', model: '', outcome: '' }

/** The server's filter, repeated for rows that arrive through the stream. */
export const passes = ({ keyId, model, outcome }: ShownRequest, filter: RequestFilter): boolean =>
  (filter.key === '' || filter.key === (keyId ?? 'playground')) &&
  (filter.model === '' || filter.model === model) &&
  (filter.outcome === '' || filter.outcome === outcome)

export const isFiltered = ({ key, model, outcome }: RequestFilter): boolean => `${key}${model}${outcome}` !== ''

export const filterQuery = (filter: RequestFilter): string =>
  Object.entries(filter)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')
