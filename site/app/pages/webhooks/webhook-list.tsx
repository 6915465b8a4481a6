import { useQuery } from '@tanstack/react-query'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/key-form.css'
import '../../../styles/webhooks.css'
import { useDialog } from '../../address/use-dialog.ts'
import { useWords } from '../../admin-words-context.tsx'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { webhooksLede } from '../../ledes/admin-ledes.ts'
import { AddWebhook } from './add-webhook.tsx'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { RotateWebhook } from './rotate-webhook.tsx'
import { webhooksQuery } from './webhooks-query.ts'
import { WebhooksTable } from './webhooks-table.tsx'

/** The endpoints with what can be done about them. Each dialog has an address. */
export const WebhookList = ({ scope }: { scope: EventScope }) => {
  const { shell, webhooks } = useWords()
  const query = useQuery(webhooksQuery(usePlatform(), scope))
  const dialogs = {
    ...{ add: useDialog('add-webhook'), edit: useDialog('edit-webhook') },
    ...{ rotate: useDialog('rotate-webhook'), log: useDialog('deliveries') },
  }
  const endpointOf = (id: string) => query.data?.data.find((endpoint) => endpoint.id === id) ?? null
  const add = (
    <Button look="primary" onClick={() => dialogs.add.open()}>
      {webhooks.add}
    </Button>
  )
  return (
    <>
      <PageHead
        title={scope === 'server' ? webhooks.serverTitle : shell.webhooks}
        lede={
          query.data === undefined ? (
            <span className="skeleton-line" />
          ) : (
            <LedeText parts={webhooksLede(query.data.data, { webhooks })} />
          )
        }
        action={query.data?.data.length === 0 ? undefined : add}
      />
      <Loaded query={query} errorTitle={webhooks.notLoaded} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={webhooks.empty} action={add}>
              {scope === 'server' ? webhooks.emptyServerText : webhooks.emptyText}
            </Empty>
          ) : (
            <WebhooksTable
              scope={scope}
              endpoints={data}
              onEdit={dialogs.edit.open}
              onRotate={dialogs.rotate.open}
              onLog={dialogs.log.open}
            />
          )
        }
      </Loaded>
      <AddWebhook scope={scope} list={query.data} isOpen={dialogs.add.isOpen} onClose={dialogs.add.close} />
      <EditWebhook
        scope={scope}
        list={query.data}
        endpoint={endpointOf(dialogs.edit.subject)}
        onClose={dialogs.edit.close}
      />
      <RotateWebhook scope={scope} endpoint={endpointOf(dialogs.rotate.subject)} onClose={dialogs.rotate.close} />
      <DeliveriesDialog scope={scope} endpoint={endpointOf(dialogs.log.subject)} onClose={dialogs.log.close} />
    </>
  )
}
