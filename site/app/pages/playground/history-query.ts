import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export type { Conversation } from '../../../../src/platform/contract/conversations.ts'

export const historyKey = ['conversations']

export const historyQuery = (platform: Platform, search: string) =>
  queryOptions({
    queryKey: [...historyKey, search],
    queryFn: ({ signal }) => platform.listConversations({ query: search === '' ? {} : { search }, signal }),
    placeholderData: keepPreviousData,
    // Other tabs add to it.
    staleTime: 0,
  })

export const sharesQuery = (platform: Platform, conversation: string) =>
  queryOptions({
    queryKey: ['shares', conversation],
    queryFn: async ({ signal }) => (await platform.listShares({ params: { conversation }, signal })).data,
    staleTime: 0,
  })
