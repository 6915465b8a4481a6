import type { EndpointList, ShownEndpoint } from '../../../../src/platform/contract/webhooks.ts'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Dialog } from '../../components/dialog.tsx'
import { webhookCalls } from './webhook-calls.ts'
import { WebhookForm } from './webhook-form.tsx'

type EditWebhookProps = {
  scope: EventScope
  list: EndpointList | undefined
  endpoint: ShownEndpoint | null
  onClose(): void
}

export const EditWebhook = ({ scope, list, endpoint, onClose }: EditWebhookProps) => {
  const { webhooks } = useWords()
  return (
    <Dialog isOpen={endpoint !== null} title={webhooks.editTitle} onClose={onClose}>
      {endpoint === null || list === undefined ? null : (
        <EditForm scope={scope} list={list} endpoint={endpoint} onClose={onClose} />
      )}
    </Dialog>
  )
}

type EditFormProps = { scope: EventScope; list: EndpointList; endpoint: ShownEndpoint; onClose(): void }

const EditForm = ({ scope, list, endpoint, onClose }: EditFormProps) => {
  const calls = webhookCalls(usePlatform(), scope)
  const { webhooks } = useWords()
  const { id, url: firstUrl, description: firstDescription, events: firstEvents } = endpoint
  return (
    <WebhookForm
      {...{ scope, list, onClose }}
      isMail={firstUrl === null}
      first={{ url: firstUrl ?? '', description: firstDescription, events: firstEvents }}
      submit={webhooks.save}
      save={({ url, ...rest }) =>
        calls.change({ params: { endpoint: id }, body: { ...rest, ...(firstUrl === null ? {} : { url }) } })
      }
      onSaved={onClose}
    />
  )
}
