import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { UsageGroup } from '../../../../src/platform/contract/usage.ts'
import '../../../styles/usage.css'
import { Empty } from '../../components/empty.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { moneyText, roundText } from '../../figures.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useLocale } from '../../words-context.tsx'
import { UsageDays } from './usage-days.tsx'
import { type UsageRange, usageFile, usageQuery, usageRanges } from './usage-query.ts'
import { UsageTable } from './usage-table.tsx'

const groups: readonly UsageGroup[] = ['day', 'key', 'model']

/** How much was used, when, by which key and by which model. */
export const UsagePage = () => {
  const { language, words } = useLocale()
  const { shell, usage } = words
  usePageTitle(shell.usage)
  const [days, setDays] = useState<UsageRange>(30)
  const [by, setBy] = useState<UsageGroup>('day')
  const { data, error, refetch } = useQuery(usageQuery(days, by))
  const isEmpty = data?.total.requests === 0
  const tokens = data === undefined ? 0 : data.total.promptTokens + data.total.completionTokens
  const byWords = { day: usage.byDay, key: usage.byKey, model: usage.byModel }
  return (
    <div className="page wide">
      <PageHead
        title={shell.usage}
        lede={
          data === undefined ? (
            error === null ? (
              <span className="skeleton-line" />
            ) : (
              shell.stillWork
            )
          ) : (
            <>
              {usage.ledeBefore(days)}
              <b>{usage.tokens(roundText(tokens, language))}</b>
              {usage.ledeAfter(days)}
              {data.total.costMicros === 0 ? null : (
                <>
                  {' '}
                  {usage.costBefore}
                  <b>{moneyText(data.total.costMicros, data.currency, language)}</b>
                  {usage.costAfter}
                </>
              )}
            </>
          )
        }
        action={
          <a className="button" href={usageFile(days, by)} download>
            <Download size={16} strokeWidth={1.5} aria-hidden />
            CSV
          </a>
        }
      />
      <div className="usage-choices">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line everywhere */}
        <div className="segments" role="group" aria-label={usage.group}>
          {groups.map((each) => (
            <button key={each} type="button" aria-pressed={each === by} onClick={() => setBy(each)}>
              {byWords[each]}
            </button>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line everywhere */}
        <div className="segments" role="group" aria-label={usage.range}>
          {usageRanges.map((each) => (
            <button key={each} type="button" aria-pressed={each === days} onClick={() => setDays(each)}>
              {usage.days(each)}
            </button>
          ))}
        </div>
      </div>
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} title={usage.notLoaded} onRetry={refetch} />
      ) : data === undefined ? (
        <Skeleton lines={5} />
      ) : isEmpty ? (
        <Empty
          title={usage.emptyTitle}
          action={
            <Link className="button primary" to="/playground">
              {shell.firstRequest}
            </Link>
          }
        >
          {usage.emptyText}
        </Empty>
      ) : data.by === 'day' ? (
        <UsageDays usage={data} />
      ) : (
        <UsageTable lines={data.data} by={data.by} currency={data.currency} />
      )}
      {data === undefined ? null : (
        <div className="page-notes">
          {data.total.estimated === 0 ? null : <p>{usage.estimatedNote(data.total.estimated)}</p>}
          <p>{usage.zone(data.timeZone)}</p>
        </div>
      )}
    </div>
  )
}
