import { useQuery } from '@tanstack/react-query'
import type { RequestTimesSummary } from '../../../../src/platform/contract/requests.ts'
import { usePlatform } from '../../app-state.ts'
import { durationText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import type { RequestFilter } from './request-filter.ts'
import { requestTimesQuery } from './requests-query.ts'

/** How long the filtered requests took: half of them, all but a twentieth, all but a hundredth. */
export const RequestTimes = ({ filter }: { filter: RequestFilter }) => {
  const platform = usePlatform()
  const { language, words } = useLocale()
  const { requests, shell } = words
  const { data } = useQuery(requestTimesQuery(platform, filter))
  if (data === undefined || data.durationMs === null) return null
  const counted = wholeText(data.counted, language)
  return (
    <section className="request-times" aria-label={requests.times}>
      <dl>
        <Percentiles name={shell.firstToken} times={data.firstTokenMs} />
        <Percentiles name={requests.total} times={data.durationMs} />
      </dl>
      <p className="muted small">{data.isComplete ? requests.ofAll(counted) : requests.ofNewest(counted)}</p>
    </section>
  )
}

type PercentilesProps = { name: string; times: RequestTimesSummary['durationMs'] }

const Percentiles = ({ name, times }: PercentilesProps) => {
  const { language } = useLocale()
  return (
    <div>
      <dt>{name}</dt>
      {(['p50', 'p95', 'p99'] as const).map((share) => (
        <dd key={share}>
          <span className="muted">{share}</span>{' '}
          <b className="tabular">{times === null ? '–' : durationText(times[share], language)}</b>
        </dd>
      ))}
    </div>
  )
}
