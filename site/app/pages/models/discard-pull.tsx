import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { ModelError } from './model-error.tsx'
import { useRefreshModels } from './use-refresh-models.ts'

/** Asks first: hours of downloading may be lost. */
export const DiscardPull = ({ name }: { name: string }) => {
  const { models } = useWords()
  const platform = usePlatform()
  const refresh = useRefreshModels()
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const discard = useMutation({
    mutationFn: () => platform.discardPull({ params: { name } }),
    async onSuccess() {
      close()
      await refresh()
    },
  })
  return (
    <>
      <Button aria-label={models.discardOf(name)} onClick={() => setOpen(true)}>
        {models.discard}
      </Button>
      <Dialog isOpen={isOpen} title={models.discardTitle(name)} onClose={close}>
        <DialogForm
          request={discard}
          onSubmit={() => discard.mutate()}
          onCancel={close}
          submit={models.discard}
          danger
          hidesError
        >
          <p>{models.discardText}</p>
          <ModelError error={discard.error} title={models.notChanged} />
        </DialogForm>
      </Dialog>
    </>
  )
}
