import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { usePlatform } from '../../app-state.ts'
import { useWords } from '../../words-context.tsx'
import '../../../styles/audit.css'
import { useView } from '../../address/use-view.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useMay } from '../../role.ts'
import { useSession } from '../../session.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { AuditFilter } from './audit-filter.tsx'
import { auditFile, auditQuery, auditView } from './audit-query.ts'
import { AuditTable } from './audit-table.tsx'

/** For admins what was done in their organisation, for the owner of the server what was done anywhere. */
export const AuditPage = () => {
  const { shell, audit } = useWords()
  const { account } = useSession()
  const mayOwn = useMay()('seeAudit')
  usePageTitle(shell.audit)
  return (
    <div className="page wide">
      {mayOwn || account.isOwner ? (
        <AuditEvents title={shell.audit} scope={mayOwn ? (account.isOwner ? 'choice' : 'own') : 'whole'} />
      ) : (
        <PageHead title={shell.audit} lede={audit.adminsOnly} />
      )}
    </div>
  )
}

type AuditEventsProps = {
  title: string
  /** Of the organisation, of the whole server, or what the reader chooses. */
  scope: 'own' | 'whole' | 'choice'
}

export const AuditEvents = ({ title, scope: offered }: AuditEventsProps) => {
  const platform = usePlatform()
  const { audit } = useWords()
  const [{ scope, ...view }, setView] = useView(auditView)
  const filters = { ...view, isWhole: offered === 'whole' || (offered === 'choice' && scope === 'whole') }
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(platform, filters),
  )
  const events = data?.pages.flatMap((page) => page.data)
  const file = (
    <a className="button" href={auditFile(filters)} download>
      <Download size={16} strokeWidth={1.5} aria-hidden />
      CSV
    </a>
  )
  const isUnfiltered = Object.values({ ...filters, isWhole: false }).every((value) => !value)
  return (
    <>
      <PageHead
        title={title}
        lede={
          <>
            <b>{audit.lede}</b> <span className="muted">{audit.ledeText}</span>
          </>
        }
        action={file}
      />
      <AuditFilter filters={filters} hasChoice={offered === 'choice'} onChange={setView} />
      {error !== null && events === undefined ? (
        <ErrorNotice error={error} title={audit.notLoaded} onRetry={refetch} />
      ) : events === undefined ? (
        <Skeleton lines={6} />
      ) : events.length > 0 ? (
        <AuditTable events={events} />
      ) : isUnfiltered ? (
        <Empty title={audit.noneTitle}>{audit.noneText}</Empty>
      ) : (
        <p className="secondary" role="status">
          {audit.noneFound}
        </p>
      )}
      {hasNextPage ? (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {audit.more}
        </Button>
      ) : null}
    </>
  )
}
