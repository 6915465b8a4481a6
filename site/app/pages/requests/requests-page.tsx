import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/requests.css'
import { useView } from '../../address/use-view.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { FirstRequestLink } from '../../components/first-request-link.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Tag } from '../../components/tag.tsx'
import { useReached } from '../../components/use-reached.ts'
import { useSession } from '../../session.ts'
import { useNow } from '../../time/use-now.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { keysQuery } from '../keys/keys-query.ts'
import { canFollow, isFiltered, noFilter, requestView } from './request-filter.ts'
import { RequestTimes } from './request-times.tsx'
import { RequestsFilter } from './requests-filter.tsx'
import { requestsQuery, requestTimesQuery } from './requests-query.ts'
import { RequestsTable } from './requests-table.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { TodayLede, todayQuery } from './today-lede.tsx'
import { useFrozenRows } from './use-frozen-rows.ts'
import { useLiveRequests } from './use-live-requests.ts'

/** Current and past requests, each with its timings. */
export const RequestsPage = () => {
  const platform = usePlatform()
  const { shell, requests } = useWords()
  usePageTitle(shell.requests)
  const session = useSession()
  const now = useNow()
  const [filter, setFilter] = useView(requestView)
  const query = useInfiniteQuery(requestsQuery(platform, filter))
  const { data, error, refetch } = query
  const isFollowed = canFollow(filter)
  const { isLive, paces } = useLiveRequests(filter, isFollowed ? data?.pages[0]?.live : null)
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const { shown, waiting, hold } = useFrozenRows(rows, filter)
  const running = rows.filter(({ outcome }) => outcome === 'running').length
  const models = [...new Set([...session.models.map(({ id }) => id), ...rows.flatMap((row) => row.model ?? [])])]
  const today = useQuery({ ...todayQuery(platform), enabled: !isFiltered(filter) })
  const times = useQuery(requestTimesQuery(platform, filter))
  const keys = useQuery(keysQuery(platform))
  // All at once, so that nothing is pushed down by what comes a moment later.
  const isComplete = useReached([query, today, times, keys].every(({ isLoading }) => !isLoading))
  return (
    <div className="page wide">
      <PageHead
        title={shell.requests}
        lede={
          data === undefined ? (
            error === null ? (
              <span className="skeleton-line" />
            ) : (
              shell.stillWork
            )
          ) : !isFiltered(filter) ? (
            <TodayLede running={running} />
          ) : (
            <>
              <b>{requests.filtered}</b> <span className="muted">{requests.running(running)}</span>
            </>
          )
        }
      />
      {isComplete ? (
        <>
          <RequestsFilter filter={filter} models={models} onFilter={setFilter} />
          <SavedFilters key={session.organisation.id} filter={filter} onFilter={setFilter} />
          <p className="requests-state" role="status">
            {data === undefined ? null : !isFollowed ? (
              <Tag state="off">{requests.notFollowed}</Tag>
            ) : isLive ? (
              <Tag state="ok">{requests.live}</Tag>
            ) : (
              <Tag state="off">{requests.notLive}</Tag>
            )}
            {waiting > 0 ? <span className="muted">{requests.waiting(waiting)}</span> : null}
          </p>
          <RequestTimes filter={filter} />
          {error !== null && data === undefined ? (
            <ErrorNotice error={error} title={requests.notLoaded} onRetry={refetch} />
          ) : data === undefined ? (
            <Skeleton lines={5} />
          ) : rows.length > 0 ? (
            <div className="requests-list" {...hold}>
              <RequestsTable requests={shown} now={now} paces={paces} />
            </div>
          ) : isFiltered(filter) || query.hasNextPage ? (
            <p className="secondary" role="status">
              {requests.noneFound}{' '}
              <button type="button" className="link" onClick={() => setFilter(noFilter)}>
                {shell.showAll}
              </button>
            </p>
          ) : (
            <Empty title={requests.emptyTitle} action={<FirstRequestLink />}>
              {requests.emptyText}
            </Empty>
          )}
          {query.hasNextPage ? (
            <Button busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
              {requests.older}
            </Button>
          ) : null}
        </>
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}
