import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../../admin-words-context.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useToast } from '../../components/toasts.tsx'

type RemoveWebhookProps = { name: string; remove(): Promise<unknown>; onRemoved(): Promise<void> }

export const RemoveWebhook = ({ name, remove, onRemoved }: RemoveWebhookProps) => {
  const { webhooks } = useWords()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const removing = useMutation({
    mutationFn: remove,
    async onSuccess() {
      setAsking(false)
      toast(webhooks.removed)
      await onRemoved()
    },
  })
  return (
    <>
      <Button aria-label={`${webhooks.remove}: ${name}`} onClick={() => setAsking(true)}>
        {webhooks.remove}
      </Button>
      <Dialog isOpen={isAsking} title={webhooks.removeTitle} onClose={() => setAsking(false)}>
        <DialogForm
          submit={webhooks.remove}
          danger
          request={removing}
          errorTitle={webhooks.notRemoved}
          onSubmit={removing.mutate}
          onCancel={() => setAsking(false)}
        >
          <p>{webhooks.removeText}</p>
        </DialogForm>
      </Dialog>
    </>
  )
}
