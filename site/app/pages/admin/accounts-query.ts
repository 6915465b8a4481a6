import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'

export type ListedAccount = {
  id: string
  email: string
  emailVerified: boolean
  isOwner: boolean
  createdAt: number
  lastSeenAt: number | null
  suspended: boolean
  /** Whether a code is asked for after the password. */
  twoFactor: boolean
}

export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: async ({ signal }) => (await platformGet<{ data: ListedAccount[] }>('/admin/accounts', signal)).data,
})
