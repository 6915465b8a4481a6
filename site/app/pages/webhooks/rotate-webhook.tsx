import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ShownEndpoint } from '../../../../src/platform/contract/webhooks.ts'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { DialogForm } from '../../components/dialog-form.tsx'
import type { ShownSecret } from '../../components/secret.tsx'
import { SecretDialog } from '../keys/secret-dialog.tsx'
import { webhookCalls } from './webhook-calls.ts'
import { webhookSecret } from './webhook-secret.ts'

type RotateWebhookProps = { scope: EventScope; endpoint: ShownEndpoint | null; onClose(): void }

/** Asks, then shows the new secret. */
export const RotateWebhook = ({ scope, endpoint, onClose }: RotateWebhookProps) => {
  const { webhooks } = useWords()
  return (
    <SecretDialog<ShownSecret>
      isOpen={endpoint !== null}
      title={webhooks.rotateTitle}
      onClose={onClose}
      form={(onMade, close) =>
        endpoint === null ? null : <RotateForm scope={scope} id={endpoint.id} onMade={onMade} onClose={close} />
      }
      ready={() => ({ title: webhooks.rotated, text: webhooks.rotatedText, copyText: webhooks.copySecret })}
    />
  )
}

type RotateFormProps = { scope: EventScope; id: string; onMade(secret: ShownSecret): void; onClose(): void }

const RotateForm = ({ scope, id, onMade, onClose }: RotateFormProps) => {
  const calls = webhookCalls(usePlatform(), scope)
  const { webhooks } = useWords()
  const queryClient = useQueryClient()
  const rotate = useMutation({
    mutationFn: () => calls.rotate({ params: { endpoint: id } }),
    // The secret is kept nowhere but on the page.
    gcTime: 0,
    onSuccess({ secret }) {
      void queryClient.invalidateQueries({ queryKey: ['webhooks', scope] })
      if (secret !== null) onMade(webhookSecret(secret))
    },
  })
  return (
    <DialogForm
      submit={webhooks.rotate}
      request={rotate}
      errorTitle={webhooks.notRotated}
      onSubmit={rotate.mutate}
      onCancel={onClose}
    >
      <p>{webhooks.rotateText}</p>
    </DialogForm>
  )
}
