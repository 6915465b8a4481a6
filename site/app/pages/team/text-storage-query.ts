import { queryOptions } from '@tanstack/react-query'
import type { BodyStorage } from '../../../../src/platform/contract/organisation.ts'
import { platformGet } from '../../../platform/platform.ts'

export const textStorageQuery = queryOptions({
  queryKey: ['organisation-bodies'],
  queryFn: ({ signal }) => platformGet<BodyStorage>('/organisation/bodies', signal),
})
