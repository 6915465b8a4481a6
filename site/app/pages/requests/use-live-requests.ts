import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RequestList, ShownProgress } from '../../../../src/platform/contract/requests.ts'
import { usePlatform } from '../../app-state.ts'
import { sessionKey } from '../../session.ts'
import { followRequests } from './follow-requests.ts'
import { mergeUpdates } from './merge-updates.ts'
import { addProgress, type Pace } from './pace.ts'
import type { RequestFilter } from './request-filter.ts'
import { requestsQuery } from './requests-query.ts'

type Paces = ReadonlyMap<string, Pace>
type Pages = InfiniteData<RequestList, string | null>

/** Keeps the list current, from the moment at which its first page was created. */
export const useLiveRequests = (
  filter: RequestFilter,
  live: string | null | undefined,
): { isLive: boolean; paces: Paces } => {
  const platform = usePlatform()
  const queryClient = useQueryClient()
  const [isLive, setLive] = useState(false)
  const [paces, setPaces] = useState<Paces>(new Map())
  useEffect(() => {
    if (typeof live !== 'string') return
    const { queryKey } = requestsQuery(platform, filter)
    const stop = followRequests(live, {
      // What came in between is not known to have come evenly.
      onOpen: () => setPaces(new Map()),
      onEvent(event) {
        if (event.type === 'reset') void queryClient.invalidateQueries({ queryKey })
        if (event.type === 'progress') setPaces((known) => withProgress(known, event.data))
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
  return { isLive, paces }
}

/** More rows than that are hardly ever in view. */
const maxPaces = 200

const withProgress = (known: Paces, progress: readonly ShownProgress[]): Paces => {
  const paces = new Map(known)
  for (const { id, ...one } of progress) paces.set(id, addProgress(known.get(id), one))
  const tooMany = Math.max(0, paces.size - maxPaces)
  for (const id of [...paces.keys()].slice(0, tooMany)) paces.delete(id)
  return paces
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
