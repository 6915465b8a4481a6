import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/usage.css'
import '../../../styles/settings.css'
import '../../../styles/overview.css'
import type { Overview } from '../../../../src/platform/contract/overview.ts'
import { useView } from '../../address/use-view.ts'
import { choice } from '../../address/view-fields.ts'
import { useWords } from '../../admin-words-context.tsx'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { overviewLede } from '../../ledes/admin-ledes.ts'
import { overviewQuery } from './overview-query.ts'
import { OverviewUsage, overviewPeriods } from './overview-usage.tsx'
import { ProblemsPart } from './problems-part.tsx'
import { RefusalsPart } from './refusals-part.tsx'
import { ServerFacts } from './server-facts.tsx'
import { SharesPart } from './shares-part.tsx'

/** For the server's owner: whether it works, who uses it, what it costs and what is wrong. */
export const OverviewPage = () => {
  const { overview } = useWords()
  return (
    <OwnerPage title={overview.title} othersText={overview.ownerOnlyText}>
      <OverviewParts />
    </OwnerPage>
  )
}

const OverviewParts = () => {
  const { overview } = useWords()
  const [{ days }, setView] = useView({ days: choice(overviewPeriods, '30') })
  const query = useQuery(overviewQuery(usePlatform(), Number(days)))
  return (
    <>
      <PageHead title={overview.title} lede={<OverviewLede overview={query.data} failed={query.isError} />} />
      <Loaded query={query} errorTitle={overview.notLoaded} lines={6}>
        {(data) => (
          <>
            <ProblemsPart problems={data.problems} />
            <OverviewUsage usage={data.usage} days={days} onDays={(chosen) => setView({ days: chosen })}>
              <SharesPart of="organisations" shares={data.organisations} usage={data.usage} />
              <SharesPart of="models" shares={data.usedModels} usage={data.usage} />
              <RefusalsPart refusals={data.refusals} />
              <ServerFacts overview={data} />
            </OverviewUsage>
          </>
        )}
      </Loaded>
    </>
  )
}

const OverviewLede = ({ overview, failed }: { overview: Overview | undefined; failed: boolean }) => {
  const words = useWords()
  if (overview === undefined) return failed ? words.overview.notLoaded : <span className="skeleton-line" />
  return <LedeText parts={overviewLede(overview, words)} />
}
