import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { EndpointList, ShownEndpoint } from '../../../../src/platform/contract/webhooks.ts'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { usePlatform } from '../../app-state.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useWords } from '../../words-context.tsx'
import { useWebhookDraft } from './use-webhook-draft.ts'
import { webhookCalls } from './webhook-calls.ts'
import { WebhookFields } from './webhook-fields.tsx'

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
  const queryClient = useQueryClient()
  const isMail = endpoint.url === null
  const { url: firstUrl, description: firstDescription, events: firstEvents } = endpoint
  const form = useWebhookDraft({ url: firstUrl ?? '', description: firstDescription, events: firstEvents }, !isMail)
  const { url, description, events } = form.draft
  const save = useMutation({
    mutationFn: () =>
      calls.change({
        params: { endpoint: endpoint.id },
        body: { ...(isMail ? {} : { url: url.trim() }), description, events },
      }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['webhooks', scope] })
      onClose()
    },
  })
  return (
    <DialogForm
      submit={webhooks.save}
      request={save}
      errorTitle={webhooks.notSaved}
      onSubmit={() => form.check() && save.mutate()}
      onCancel={onClose}
    >
      <WebhookFields
        scope={scope}
        urlHelp={isMail ? null : list.allowsHttp ? webhooks.urlHelpInternal : webhooks.urlHelp}
        draft={form.draft}
        wrong={form.wrong}
        onChange={form.change}
      />
    </DialogForm>
  )
}
