import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { EndpointList } from '../../../../src/platform/contract/webhooks.ts'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import { useWords } from '../../admin-words-context.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useWebhookDraft } from './use-webhook-draft.ts'
import { type WebhookDraft, WebhookFields } from './webhook-fields.tsx'

type WebhookFormProps<Saved> = {
  scope: EventScope
  list: EndpointList
  /** Mails have no address of their own. */
  isMail: boolean
  first: WebhookDraft
  submit: string
  save(draft: WebhookDraft): Promise<Saved>
  onSaved(saved: Saved): void
  onClose(): void
  /** Above the fields. */
  children?: ReactNode
}

/** Where to, and of what: the same form for a new webhook and one that is changed. */
export const WebhookForm = <Saved,>(props: WebhookFormProps<Saved>) => {
  const { scope, list, isMail, first, submit, save, onSaved, onClose, children } = props
  const { webhooks } = useWords()
  const queryClient = useQueryClient()
  const form = useWebhookDraft(first, !isMail)
  const request = useMutation({
    mutationFn: () => save({ ...form.draft, url: form.draft.url.trim() }),
    // The secret of a new one is kept nowhere but on the page.
    gcTime: 0,
    async onSuccess(saved) {
      await queryClient.invalidateQueries({ queryKey: ['webhooks', scope] })
      onSaved(saved)
    },
  })
  return (
    <DialogForm
      submit={submit}
      request={request}
      errorTitle={webhooks.notSaved}
      onSubmit={() => form.check() && request.mutate()}
      onCancel={onClose}
    >
      {children}
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
