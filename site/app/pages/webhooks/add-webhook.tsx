import { useState } from 'react'
import type { EndpointList } from '../../../../src/platform/contract/webhooks.ts'
import { type EventScope, eventTypesOf } from '../../../../src/webhooks/event-types.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import type { ShownSecret } from '../../components/secret.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { SecretDialog } from '../keys/secret-dialog.tsx'
import { webhookCalls } from './webhook-calls.ts'
import { WebhookForm } from './webhook-form.tsx'
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
  const [channel, setChannel] = useState<'webhook' | 'mail'>('webhook')
  const isMail = channel === 'mail'
  return (
    <WebhookForm
      {...{ scope, list, isMail, onClose }}
      first={{ url: '', description: '', events: eventTypesOf(scope) }}
      submit={webhooks.add}
      save={({ url, ...rest }) => calls.add({ body: { ...rest, url: isMail ? null : url } })}
      onSaved={({ secret }) => (secret === null ? onClose() : onMade(webhookSecret(secret)))}
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
    </WebhookForm>
  )
}
