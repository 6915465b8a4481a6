import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PlatformError } from '../../platform/platform-error.ts'
import { useAppState } from '../app-state.ts'
import { DialogForm } from '../components/dialog-form.tsx'
import { Field } from '../components/field.tsx'
import { useToast } from '../components/toasts.tsx'
import { sessionKey } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { type Leaving, saveBeforeLeaving, Unsaved, UnsavedNotice } from './unsaved.tsx'

type CreateOrganisationFormProps = { onDone(): void; onBack(): void }

/** Creating an organisation switches to it. */
export const CreateOrganisationForm = ({ onDone, onBack }: CreateOrganisationFormProps) => {
  const app = useAppState()
  const { team, shell, history } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const create = useMutation({
    async mutationFn(how: Leaving) {
      await saveBeforeLeaving(app, how)
      return app.platform.createOrganisation({ body: { name: name.trim() } })
    },
    async onSuccess(made) {
      await queryClient.invalidateQueries({ queryKey: sessionKey })
      toast(team.created(made.name))
      onDone()
    },
  })
  const unsaved = create.error instanceof Unsaved ? create.error : null
  const isRefused = create.error instanceof PlatformError && create.error.param === 'name'
  const submit = (): void => {
    setMissing(name.trim() === '')
    if (name.trim() !== '') create.mutate(undefined)
  }
  return (
    <DialogForm
      submit={team.create}
      request={create}
      hidesError={isRefused || unsaved !== null}
      errorTitle={team.notCreated}
      onSubmit={submit}
      onCancel={onBack}
    >
      <p>{team.createText}</p>
      <Field
        label={shell.name}
        value={name}
        error={isMissing ? team.nameNeeded : isRefused ? team.nameRefused : null}
        required
        autoFocus
        autoComplete="organization"
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      {unsaved === null ? null : (
        <UnsavedNotice
          error={unsaved}
          text={history.unsaved.switchText}
          anyway={history.unsaved.switchAnyway}
          onRetry={submit}
          onAnyway={() => create.mutate('anyway')}
        />
      )}
    </DialogForm>
  )
}
