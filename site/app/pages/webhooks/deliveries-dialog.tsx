import { useInfiniteQuery } from '@tanstack/react-query'
import type { ShownEndpoint } from '../../../../src/platform/contract/webhooks.ts'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { DeliveriesTable } from './deliveries-table.tsx'
import { deliveriesQuery } from './webhooks-query.ts'

type DeliveriesDialogProps = { scope: EventScope; endpoint: ShownEndpoint | null; onClose(): void }

export const DeliveriesDialog = ({ scope, endpoint, onClose }: DeliveriesDialogProps) => {
  const { webhooks } = useWords()
  return (
    <Dialog isOpen={endpoint !== null} title={webhooks.logTitle} onClose={onClose} wide>
      {endpoint === null ? null : <Deliveries scope={scope} endpoint={endpoint} onClose={onClose} />}
    </Dialog>
  )
}

type DeliveriesProps = { scope: EventScope; endpoint: ShownEndpoint; onClose(): void }

const Deliveries = ({ scope, endpoint, onClose }: DeliveriesProps) => {
  const { shell, webhooks } = useWords()
  const query = useInfiniteQuery(deliveriesQuery(usePlatform(), scope, endpoint.id))
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query
  return (
    <>
      <p className="secondary small endpoint-name" translate="no">
        {endpoint.url ?? webhooks.mailName}
      </p>
      <Loaded query={query} errorTitle={webhooks.logNotLoaded} lines={4}>
        {({ pages }) => {
          const deliveries = pages.flatMap(({ data }) => data)
          if (deliveries.length === 0) return <p role="status">{webhooks.logEmpty}</p>
          return <DeliveriesTable scope={scope} endpoint={endpoint} deliveries={deliveries} />
        }}
      </Loaded>
      <div className="actions">
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {webhooks.more}
          </Button>
        ) : null}
        <Button onClick={onClose}>{shell.close}</Button>
      </div>
    </>
  )
}
