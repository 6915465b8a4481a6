import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useDialog } from '../../address/use-dialog.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useSession } from '../../session.ts'
import { useNow } from '../../time/use-now.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { CreateKey } from './create-key.tsx'
import { KeysLede } from './keys-lede.tsx'
import { KeysList } from './keys-list.tsx'
import { keysQuery } from './keys-query.ts'
import { KeysSkeleton } from './keys-skeleton.tsx'
import { mayMake } from './may-change.ts'
import { OrganisationLimits } from './organisation-limits.tsx'

const FirstDay = lazy(async () => ({ default: (await import('../../first-day/first-day.tsx')).FirstDay }))

/** Refetched while the page is visible, because limits per minute change quickly. */
const refetchInterval = 15_000

/** How many keys are live, which need attention, and every key of the organisation. */
export const KeysPage = () => {
  const platform = usePlatform()
  const { shell, keys } = useWords()
  usePageTitle(shell.keys)
  const now = useNow()
  const { data, error, refetch, dataUpdatedAt: updatedAt } = useQuery({ ...keysQuery(platform), refetchInterval })
  const creating = useDialog('create')
  const { organisation } = useSession()
  const createButton = (
    <Button look="primary" onClick={() => creating.open()}>
      <Plus size={16} strokeWidth={1.5} aria-hidden />
      {keys.create}
    </Button>
  )
  const isEmpty = data?.data.length === 0
  const isMaker = mayMake(organisation.role)
  return (
    <div className="page wide">
      <PageHead
        title={shell.keys}
        lede={<KeysLede keys={data?.data} now={now} failed={error !== null} />}
        action={isEmpty || !isMaker ? undefined : createButton}
      />
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} title={keys.notLoaded} onRetry={refetch} />
      ) : data === undefined ? (
        <KeysSkeleton />
      ) : isEmpty ? (
        <Empty title={keys.emptyTitle} action={isMaker ? createButton : undefined}>
          {keys.emptyText}
        </Empty>
      ) : (
        <KeysList keys={data.data} now={now} />
      )}
      {/* Below the list, which is what the page is for. What follows is shown with it, so that it is not pushed down. */}
      {data === undefined ? null : (
        <Suspense fallback={null}>
          <FirstDay>
            <OrganisationLimits snapshot={data.organisation} now={Math.max(now, updatedAt)} />
          </FirstDay>
        </Suspense>
      )}
      <CreateKey isOpen={creating.isOpen && isMaker} onClose={creating.close} />
    </div>
  )
}
