import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ShownEndpoint } from '../../../../src/platform/contract/webhooks.ts'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useToast } from '../../components/toasts.tsx'
import { RemoveWebhook } from './remove-webhook.tsx'
import { webhookCalls } from './webhook-calls.ts'

type WebhookActionsProps = {
  scope: EventScope
  endpoint: ShownEndpoint
  onEdit(id: string): void
  onRotate(id: string): void
  onLog(id: string): void
}

/** Tries an endpoint out, shows its log, and changes it. Only removing and rotating ask first. */
export const WebhookActions = ({ scope, endpoint, onEdit, onRotate, onLog }: WebhookActionsProps) => {
  const calls = webhookCalls(usePlatform(), scope)
  const { webhooks } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const { id, isEnabled, channel } = endpoint
  const name = endpoint.url ?? webhooks.mailName
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['webhooks', scope] })
  const test = useMutation({
    mutationFn: () => calls.test({ params: { endpoint: id } }),
    async onSuccess() {
      toast(webhooks.tested)
      await refresh()
    },
  })
  const turn = useMutation({
    mutationFn: () => calls.change({ params: { endpoint: id }, body: { isEnabled: !isEnabled } }),
    async onSuccess() {
      toast(isEnabled ? webhooks.turnedOff : webhooks.turnedOn)
      await refresh()
    },
  })
  const label = (word: string): string => `${word}: ${name}`
  return (
    <>
      <span className="row-actions">
        {isEnabled ? (
          <Button aria-label={label(webhooks.test)} busy={test.isPending} onClick={() => test.mutate()}>
            {webhooks.test}
          </Button>
        ) : null}
        <Button aria-label={label(webhooks.log)} onClick={() => onLog(id)}>
          {webhooks.log}
        </Button>
        <Button aria-label={label(webhooks.edit)} onClick={() => onEdit(id)}>
          {webhooks.edit}
        </Button>
        {channel === 'webhook' ? (
          <Button aria-label={label(webhooks.rotate)} onClick={() => onRotate(id)}>
            {webhooks.rotate}
          </Button>
        ) : null}
        <Button
          aria-label={label(isEnabled ? webhooks.turnOff : webhooks.turnOn)}
          busy={turn.isPending}
          onClick={() => turn.mutate()}
        >
          {isEnabled ? webhooks.turnOff : webhooks.turnOn}
        </Button>
        <RemoveWebhook name={name} remove={() => calls.remove({ params: { endpoint: id } })} onRemoved={refresh} />
      </span>
      {test.isError ? <ErrorNotice error={test.error} title={webhooks.notTested} /> : null}
      {turn.isError ? <ErrorNotice error={turn.error} title={webhooks.notChanged} /> : null}
    </>
  )
}
