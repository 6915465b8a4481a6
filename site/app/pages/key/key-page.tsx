import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { usePlatform } from '../../app-state.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useSession } from '../../session.ts'
import { useNow } from '../../time/use-now.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { mayChange } from '../keys/may-change.ts'
import { KeyActions } from './key-actions.tsx'
import { KeyCode } from './key-code.tsx'
import { KeyFacts } from './key-facts.tsx'
import { KeyHistory } from './key-history.tsx'
import { KeyLede } from './key-lede.tsx'
import { KeyLimits } from './key-limits.tsx'
import { type KeyDetails, keyQuery } from './key-query.ts'
import { KeyRequests } from './key-requests.tsx'
import { KeyUsage } from './key-usage.tsx'

/** One key: its state, its permissions and limits, how it is used, and what was done to it. */
export const KeyPage = () => {
  const platform = usePlatform()
  const { shell, keys } = useWords()
  const { key: id = '' } = useParams({ strict: false })
  const { data, error, refetch, dataUpdatedAt } = useQuery(keyQuery(platform, id))
  const now = Math.max(useNow(), dataUpdatedAt)
  const head = useRef<HTMLHeadingElement>(null)
  const isGone = error instanceof PlatformError && error.status === 404
  usePageTitle(data?.name ?? shell.key)
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={head} className="page-name" tabIndex={-1}>
            <Link to="/keys">{shell.keys}</Link> <span className="muted">/</span> {data?.name ?? id}
          </h1>
          <p className="lede">
            {data !== undefined ? (
              <KeyLede apiKey={data} now={now} />
            ) : error === null ? (
              <span className="skeleton-line" />
            ) : (
              <span className="muted">{isGone ? keys.notFound : shell.stillWork}</span>
            )}
          </p>
          {data === undefined ? null : <KeyActions apiKey={data} head={head} />}
        </div>
      </header>
      {data !== undefined ? (
        <Shown apiKey={data} now={now} />
      ) : isGone ? (
        <p>
          {keys.notFoundText} <Link to="/keys">{keys.backToKeys}</Link>
        </p>
      ) : error !== null ? (
        <ErrorNotice error={error} title={keys.keyNotLoaded} onRetry={refetch} />
      ) : (
        <Skeleton lines={6} />
      )}
    </div>
  )
}

const Shown = ({ apiKey, now }: { apiKey: KeyDetails; now: number }) => {
  const { account, organisation } = useSession()
  return (
    <>
      <KeyFacts apiKey={apiKey} now={now} />
      <KeyUsage apiKey={apiKey} now={now} />
      <KeyLimits apiKey={apiKey} now={now} />
      <KeyRequests id={apiKey.id} now={now} />
      {apiKey.revokedAt === null && !apiKey.scopes.includes('manage') ? <KeyCode apiKey={apiKey} /> : null}
      {mayChange(apiKey, { email: account.email, role: organisation.role }) ? <KeyHistory id={apiKey.id} /> : null}
    </>
  )
}
