import { useInfiniteQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useWords } from '../../words-context.tsx'
import { AuditTable } from '../audit/audit-table.tsx'
import { keyEventsQuery } from './key-query.ts'
import '../../../styles/audit.css'

/** Who created, changed, rotated or paused the key, from the audit log. */
export const KeyHistory = ({ id }: { id: string }) => {
  const platform = usePlatform()
  const { keys, audit } = useWords()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    keyEventsQuery(platform, id),
  )
  return (
    <Section title={keys.history} text={keys.historyText}>
      {data !== undefined ? (
        <AuditTable events={data.pages.flatMap((page) => page.data)} />
      ) : error === null ? (
        <Skeleton lines={3} />
      ) : (
        <ErrorNotice error={error} title={audit.notLoaded} onRetry={refetch} />
      )}
      {hasNextPage ? (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {audit.more}
        </Button>
      ) : null}
    </Section>
  )
}
