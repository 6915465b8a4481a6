import { queryOptions } from '@tanstack/react-query'
import type { Notice, NoticeChoices } from '../../../src/platform/contract/notices.ts'
import { platformGet } from '../../platform/platform.ts'

export type NoticeList = { data: readonly Notice[]; choices: NoticeChoices }

export const noticesQuery = (organisationId: string) =>
  queryOptions({
    queryKey: ['notices', organisationId],
    queryFn: ({ signal }) => platformGet<NoticeList>('/notices', signal),
    refetchInterval: 60_000,
    // A page works without them.
    retry: false,
    // Nor does the page turn to another organisation, while somebody types, because they noticed a switch in another tab.
    meta: { isInBackground: true },
  })
