import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/upstreams.css'
import type { UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { useDialog } from '../../address/use-dialog.ts'
import { useWords } from '../../admin-words-context.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { upstreamsLede } from '../../ledes/admin-ledes.ts'
import { UpstreamFigures } from './upstream-figures.tsx'
import { UpstreamForm } from './upstream-form.tsx'
import { upstreamsQuery } from './upstreams-query.ts'
import { UpstreamsTable } from './upstreams-table.tsx'

const ImportForm = lazy(async () => ({ default: (await import('./import-form.tsx')).ImportForm }))

/** For the server's owner: every upstream with its state, models and load, and what can be done about it. */
export const UpstreamsPage = () => {
  const { admin } = useWords()
  return (
    <OwnerPage title={admin.upstreams}>
      <Upstreams />
    </OwnerPage>
  )
}

const Upstreams = () => {
  const { admin } = useWords()
  const { upstreams } = useWords()
  const query = useQuery(upstreamsQuery(usePlatform()))
  const adding = useDialog('add-upstream')
  const importing = useDialog('import-upstreams')
  const add = (
    <span className="row-actions">
      <Button onClick={() => importing.open()}>{upstreams.importTitle}</Button>
      <Button look="primary" onClick={() => adding.open()}>
        {upstreams.add}
      </Button>
    </span>
  )
  return (
    <>
      <PageHead
        title={admin.upstreams}
        lede={<UpstreamsLede upstreams={query.data} />}
        action={query.data?.length === 0 ? undefined : add}
      />
      <Loaded query={query} errorTitle={upstreams.notLoaded} lines={4}>
        {(data) =>
          data.length === 0 ? (
            <Empty title={upstreams.empty} action={add}>
              {upstreams.emptyText}
            </Empty>
          ) : (
            <>
              <UpstreamsTable upstreams={data} />
              <UpstreamFigures />
            </>
          )
        }
      </Loaded>
      <Dialog isOpen={adding.isOpen} title={upstreams.addTitle} onClose={adding.close}>
        <UpstreamForm upstream={null} onClose={adding.close} />
      </Dialog>
      <Dialog isOpen={importing.isOpen} title={upstreams.importTitle} onClose={importing.close}>
        <Suspense fallback={null}>
          <ImportForm onClose={importing.close} />
        </Suspense>
      </Dialog>
    </>
  )
}

const UpstreamsLede = ({ upstreams: listed }: { upstreams: readonly UpstreamShown[] | undefined }) => {
  const words = useWords()
  return listed === undefined ? <span className="skeleton-line" /> : <LedeText parts={upstreamsLede(listed, words)} />
}
