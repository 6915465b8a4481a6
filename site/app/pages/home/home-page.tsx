import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { usePlatform } from '../../app-state.ts'
import { FirstRequestLink } from '../../components/first-request-link.tsx'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useReached } from '../../components/use-reached.ts'
import { homeLede } from '../../ledes/home-lede.ts'
import { useNow } from '../../time/use-now.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useLocale, useWords } from '../../words-context.tsx'
import { keysQuery } from '../keys/keys-query.ts'
import { limitsQuery } from '../limits/limits-query.ts'
import { RequestsTable } from '../requests/requests-table.tsx'
import { SmallCharts } from '../usage/small-charts.tsx'
import { hasUsage } from '../usage/usage-parameters.ts'
import { buildSlots } from '../usage/usage-slots.ts'
import { HomeLimits } from './home-limits.tsx'
import { homeUsageQuery, problemsQuery } from './home-queries.ts'
import '../../../styles/usage.css'
import '../../../styles/limits.css'
import '../../../styles/requests.css'

/** For every member: what the organisation spent and asked, how near its limits are, and what went wrong last. */
export const HomePage = () => {
  const platform = usePlatform()
  const { shell, home, usage: words } = useWords()
  usePageTitle(shell.home)
  const usage = useQuery(homeUsageQuery(platform))
  const limits = useQuery(limitsQuery(platform))
  const problems = useQuery(problemsQuery(platform))
  const keys = useQuery(keysQuery(platform))
  const now = useNow()
  // All at once, so that nothing is pushed down by what comes a moment later.
  const isComplete = useReached([usage, limits, problems, keys].every(({ isLoading }) => !isLoading))
  return (
    <div className="page wide">
      <PageHead title={shell.home} lede={<HomeLede usage={usage.data} failed={usage.isError} />} />
      {isComplete ? (
        <>
          <Section title={home.usageTitle} text={<Link to="/usage">{home.toUsage}</Link>}>
            <Loaded query={usage} errorTitle={home.notLoaded} lines={3}>
              {(data) =>
                hasUsage(data) ? (
                  <SmallCharts usage={data} slots={buildSlots(data)} prefersCosts />
                ) : (
                  <div className="empty">
                    <p>{words.emptyText}</p>
                    <FirstRequestLink />
                  </div>
                )
              }
            </Loaded>
          </Section>
          <Section title={home.limitsTitle} text={<Link to="/limits">{home.toLimits}</Link>}>
            <Loaded query={limits} errorTitle={home.notLoaded} lines={3}>
              {(shown) => <HomeLimits shown={shown} />}
            </Loaded>
          </Section>
          <Section
            title={home.problemsTitle}
            text={
              <>
                <Link to="/requests" search={{ outcome: 'failed' }}>
                  {home.toFailed}
                </Link>
                {' · '}
                <Link to="/requests" search={{ outcome: 'refused' }}>
                  {home.toRejected}
                </Link>
              </>
            }
          >
            <Loaded query={problems} errorTitle={home.notLoaded} lines={3}>
              {(rows) =>
                rows.length === 0 ? (
                  <p className="muted">{home.noProblems}</p>
                ) : (
                  <RequestsTable requests={rows} now={now} />
                )
              }
            </Loaded>
          </Section>
        </>
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}

const HomeLede = ({ usage, failed }: { usage: Usage | undefined; failed: boolean }) => {
  const { language, words } = useLocale()
  if (usage === undefined) return failed ? words.shell.stillWork : <span className="skeleton-line" />
  return <LedeText parts={homeLede(usage, words, language)} />
}
