import { queryOptions } from '@tanstack/react-query'
import type { BodyDays } from '../../../../src/store/body-contract.ts'
import { platformGet } from '../../../platform/platform.ts'

export const textStorageQuery = queryOptions({
  queryKey: ['organisation-bodies'],
  queryFn: ({ signal }) => platformGet<{ days: BodyDays | null }>('/organisation/bodies', signal),
})
