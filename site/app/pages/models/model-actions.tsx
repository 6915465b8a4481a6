import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedModel } from '../../../../src/platform/contract/models.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useToast } from '../../components/toasts.tsx'
import { bytesText } from '../../figures.ts'
import { ModelError } from './model-error.tsx'
import { ModelForm } from './model-form.tsx'
import { useRefreshModels } from './use-refresh-models.ts'

/** Tries, sets up or removes a model. Only removing asks first. */
export const ModelActions = ({ model }: { model: ListedModel }) => {
  const { models } = useWords()
  const platform = usePlatform()
  const toast = useToast()
  const refresh = useRefreshModels()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const { id: name, kind, state, isDefault, installed } = model
  const isListed = installed?.source === 'list'
  const makeDefault = useMutation({
    mutationFn: () => platform.makeModelDefault({ params: { name } }),
    async onSuccess() {
      toast(models.madeDefault(name))
      await refresh()
    },
  })
  return (
    <>
      <span className="row-actions">
        {kind === 'chat' && state !== 'failed' ? <TryLink name={name} /> : null}
        {kind === 'chat' && installed !== null && !isDefault && state !== 'failed' ? (
          <Button
            aria-label={models.makeDefaultOf(name)}
            busy={makeDefault.isPending}
            onClick={() => makeDefault.mutate()}
          >
            {models.makeDefault}
          </Button>
        ) : null}
        {isListed ? (
          <Button aria-label={models.editOf(name)} onClick={() => setOpen('edit')}>
            {models.edit}
          </Button>
        ) : null}
        {isListed ? (
          <Button aria-label={models.removeOf(name)} onClick={() => setOpen('remove')}>
            {models.remove}
          </Button>
        ) : null}
      </span>
      <ModelError error={makeDefault.error} title={models.notSaved} />
      <Dialog isOpen={open === 'edit'} title={models.editOf(name)} onClose={() => setOpen(null)}>
        <ModelForm model={model} onClose={() => setOpen(null)} />
      </Dialog>
      <Dialog isOpen={open === 'remove'} title={models.removeTitle(name)} onClose={() => setOpen(null)}>
        <RemoveModel model={model} onClose={() => setOpen(null)} />
      </Dialog>
    </>
  )
}

export const TryLink = ({ name }: { name: string }) => {
  const { models } = useWords()
  return (
    <Link className="button" to="/playground" search={{ model: name }} aria-label={models.tryOf(name)}>
      {models.try}
    </Link>
  )
}

const RemoveModel = ({ model, onClose }: { model: ListedModel; onClose(): void }) => {
  const { language } = useLocale()
  const { models } = useWords()
  const platform = usePlatform()
  const toast = useToast()
  const refresh = useRefreshModels()
  const { id: name, isDefault, installed, diskBytes } = model
  const remove = useMutation({
    mutationFn: () => platform.removeModel({ params: { name } }),
    async onSuccess() {
      onClose()
      toast(models.removed(name))
      await refresh()
    },
  })
  return (
    <DialogForm
      request={remove}
      onSubmit={() => remove.mutate()}
      onCancel={onClose}
      submit={models.remove}
      danger
      isReady={!isDefault}
      hidesError
    >
      {isDefault ? (
        <p>{models.removeDefault}</p>
      ) : (
        <p>
          {models.removeText}{' '}
          {installed?.ownsFiles ? models.removeFiles(bytesText(diskBytes ?? 0, language)) : models.removeKeeps}
        </p>
      )}
      <ModelError error={remove.error} title={models.notRemoved} />
    </DialogForm>
  )
}
