import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndpointList } from '../../../../src/platform/contract/webhooks.ts'
import { type EventScope, eventTypesOf } from '../../../../src/webhooks/event-types.ts'
import { usePlatform } from '../../app-state.ts'
import { DialogForm } from '../../components/dialog-form.tsx'
import type { ShownSecret } from '../../components/secret.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { SecretDialog } from '../keys/secret-dialog.tsx'
import { useWebhookDraft } from './use-webhook-draft.ts'
import { webhookCalls } from './webhook-calls.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { webhookSecret } from './webhook-secret.ts'

type AddWebhookProps = { scope: EventScope; list: EndpointList | undefined; isOpen: boolean; onClose(): void }

/** Where to, and of what; then the secret, which mails have not. */
export const AddWebhook = ({ scope, list, isOpen, onClose }: AddWebhookProps) => {
  const { webhooks } = useWords()
  return (
    <SecretDialog<ShownSecret>
      isOpen={isOpen && list !== undefined}
      title={webhooks.addTitle}
      onClose={onClose}
      form={(onMade, close) =>
        list === undefined ? null : <AddForm scope={scope} list={list} onMade={onMade} onClose={close} />
      }
      ready={() => ({ title: webhooks.secretTitle, text: webhooks.secretText, copyText: webhooks.copySecret })}
    />
  )
}

type AddFormProps = { scope: EventScope; list: EndpointList; onMade(secret: ShownSecret): void; onClose(): void }

const AddForm = ({ scope, list, onMade, onClose }: AddFormProps) => {
  const calls = webhookCalls(usePlatform(), scope)
  const { webhooks } = useWords()
  const queryClient = useQueryClient()
  const [channel, setChannel] = useState<'webhook' | 'mail'>('webhook')
  const isMail = channel === 'mail'
  const form = useWebhookDraft({ url: '', description: '', events: eventTypesOf(scope) }, !isMail)
  const { url, description, events } = form.draft
  const add = useMutation({
    mutationFn: () => calls.add({ body: { url: isMail ? null : url.trim(), description, events } }),
    // The secret is kept nowhere but on the page.
    gcTime: 0,
    onSuccess({ secret }) {
      void queryClient.invalidateQueries({ queryKey: ['webhooks', scope] })
      if (secret === null) onClose()
      else onMade(webhookSecret(secret))
    },
  })
  return (
    <DialogForm
      submit={webhooks.add}
      request={add}
      errorTitle={webhooks.notSaved}
      onSubmit={() => form.check() && add.mutate()}
      onCancel={onClose}
    >
      {list.sendsMail ? (
        <SelectField<'webhook' | 'mail'>
          label={webhooks.channel}
          help={isMail ? webhooks.mailHelp : undefined}
          value={channel}
          options={[
            { value: 'webhook', text: webhooks.channels.webhook },
            { value: 'mail', text: scope === 'server' ? webhooks.channels.serverMail : webhooks.channels.mail },
          ]}
          onChoose={setChannel}
        />
      ) : null}
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
