import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/request.css'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { exactText } from '../../time/exact-moment.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useLocale } from '../../words-context.tsx'
import { OutcomeTag } from '../requests/outcome-tag.tsx'
import { requestQuery } from '../requests/requests-query.ts'
import { generatesTokens } from './generates-tokens.ts'
import { RefusalLists } from './refusal-lists.tsx'
import { RequestLede } from './request-lede.tsx'
import { RequestLists } from './request-lists.tsx'
import { StoredTexts } from './stored-texts.tsx'
import { TimingChart } from './timing-chart.tsx'
import { TimingSteps } from './timing-steps.tsx'

/** One request: where its time went, what it counted, and how it ended. */
export const RequestPage = () => {
  const platform = usePlatform()
  const { shell, requests } = useLocale().words
  const { request: id = '' } = useParams({ strict: false })
  usePageTitle(id)
  const { data, error, refetch } = useQuery(requestQuery(platform, id))
  const isGone = error instanceof PlatformError && error.status === 404
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 className="page-name">
            <Link to="/requests">{shell.requests}</Link> <span className="muted">/</span>{' '}
            <span className="mono" translate="no">
              {id}
            </span>{' '}
            <CopyIcon text={id} label={shell.copyId} />
          </h1>
          <p className="lede">
            {data === undefined ? (
              <span className={error === null ? 'skeleton-line' : 'muted'}>
                {error === null ? null : isGone ? requests.notFound : shell.stillWork}
              </span>
            ) : (
              <RequestLede request={data} />
            )}
          </p>
        </div>
      </header>
      {data !== undefined ? (
        <Shown request={data} />
      ) : isGone ? (
        <p>
          {requests.notFoundText} <Link to="/requests">{requests.back}</Link>
        </p>
      ) : error !== null ? (
        <ErrorNotice error={error} title={requests.notLoaded} onRetry={refetch} />
      ) : (
        <Skeleton lines={5} />
      )}
    </div>
  )
}

const Shown = ({ request }: { request: ShownRequest }) => {
  const { language, words } = useLocale()
  const { requests } = words
  const { durationMs } = request
  const isRefused = request.outcome === 'refused'
  return (
    <>
      <p className="request-facts">
        <OutcomeTag outcome={request.outcome} />
        <span>{exactText(request.startedAt, language)}</span>
        {request.model === null ? null : <span className="mono">{request.model}</span>}
        {isRefused ? null : (
          <span className="legends">
            <span className="legend">{requests.readingPrompt}</span>
            {generatesTokens(request) ? <span className="legend received">{requests.rungs}</span> : null}
          </span>
        )}
      </p>
      {isRefused ? (
        <RefusalLists request={request} />
      ) : (
        <>
          {durationMs === null ? null : <TimingChart request={{ ...request, durationMs }} />}
          <TimingSteps request={request} />
          <RequestLists request={request} />
        </>
      )}
      {isRefused ? null : <StoredTexts request={request} />}
    </>
  )
}
