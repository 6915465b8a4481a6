import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RequestList } from '../../../../src/platform/contract/requests.ts'
import { usePlatform } from '../../app-state.ts'
import { sessionKey } from '../../session.ts'
import { followRequests } from './follow-requests.ts'
import { mergeUpdates } from './merge-updates.ts'
import type { RequestFilter } from './request-filter.ts'
import { requestsQuery } from './requests-query.ts'

type Pages = InfiniteData<RequestList, string | null>

/** Keeps the list current, from the moment at which its first page was created. */
export const useLiveRequests = (filter: RequestFilter, live: string | null | undefined): { isLive: boolean } => {
  const platform = usePlatform()
  const queryClient = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    if (typeof live !== 'string') return
    const { queryKey } = requestsQuery(platform, filter)
    const stop = followRequests(live, {
      onEvent(event) {
        if (event.type === 'reset') void queryClient.invalidateQueries({ queryKey })
        if (event.type !== 'requests') return
        queryClient.setQueryData<Pages>(queryKey, (pages) => pages && withNews(pages, event.data, filter))
      },
      onLine: setLive,
      // An ended session asks to sign in again; everything else is retried.
      onRefused: () => void queryClient.invalidateQueries({ queryKey: sessionKey }),
    })
    return () => {
      stop()
      setLive(false)
    }
  }, [queryClient, platform, filter, live])
  return { isLive }
}

/** New requests are later than all that are shown, so they belong to the first page. */
const withNews = (pages: Pages, news: RequestList['data'], filter: RequestFilter): Pages => {
  const known = new Map(news.map((request) => [request.id, request]))
  const [first, ...others] = pages.pages
  if (first === undefined) return pages
  const further = others.map((page) => {
    const here = page.data.flatMap(({ id }) => known.get(id) ?? [])
    for (const { id } of here) known.delete(id)
    return here.length === 0 ? page : { ...page, data: mergeUpdates(page.data, here, filter) }
  })
  return { ...pages, pages: [{ ...first, data: mergeUpdates(first.data, [...known.values()], filter) }, ...further] }
}
