import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/usage.css'
import { useView } from '../../address/use-view.ts'
import { Empty } from '../../components/empty.tsx'
import { FirstRequestLink } from '../../components/first-request-link.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useReached } from '../../components/use-reached.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { RejectedPart } from './rejected-part.tsx'
import { showable } from './showable.ts'
import { UsageContent } from './usage-content.tsx'
import { UsageControls } from './usage-controls.tsx'
import { UsageLede } from './usage-lede.tsx'
import { UsageNotes } from './usage-notes.tsx'
import { hasOwnRange, hasUsage } from './usage-parameters.ts'
import { usageFile, usageQuery } from './usage-query.ts'
import { usageView } from './usage-view.ts'

/** How much was used, when, by which key, by which model and by whom. */
export const UsagePage = () => {
  const platform = usePlatform()
  const { shell, usage } = useWords()
  usePageTitle(shell.usage)
  const [asked, setView] = useView(usageView)
  const view = showable(asked)
  const query = useQuery(usageQuery(platform, view))
  const { data, error } = query
  // With the lede above it, which may take two lines.
  const isComplete = useReached(!query.isLoading)
  return (
    <div className="page wide">
      <PageHead
        title={shell.usage}
        lede={
          data !== undefined ? (
            <UsageLede usage={data} view={view} />
          ) : error === null ? (
            <span className="skeleton-line" />
          ) : (
            shell.stillWork
          )
        }
        action={
          <a className="button" href={usageFile(view)} download>
            <Download size={16} strokeWidth={1.5} aria-hidden />
            CSV
          </a>
        }
      />
      {isComplete ? <UsageControls view={view} usage={data} onChange={setView} /> : null}
      <Loaded query={query} errorTitle={usage.notLoaded} lines={5}>
        {(loaded) => (
          <>
            {hasUsage(loaded) ? (
              <UsageContent usage={loaded} metric={view.show} />
            ) : (
              // A short or chosen period says nothing of the time before it.
              <Empty
                title={usage.emptyTitle}
                action={hasOwnRange(view) || Number(view.days) < 30 ? null : <FirstRequestLink />}
              >
                {usage.emptyText}
              </Empty>
            )}
            <RejectedPart usage={loaded} />
            <UsageNotes usage={loaded} />
          </>
        )}
      </Loaded>
    </div>
  )
}
