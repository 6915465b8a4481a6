import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { platformPost } from '../../platform/platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { Field } from '../components/field.tsx'
import { useToast } from '../components/toasts.tsx'
import { sessionQuery } from '../session.ts'
import { useWords } from '../words-context.tsx'

type CreateOrganisationFormProps = { onDone(): void; onBack(): void }

/** Creating an organisation switches to it. */
export const CreateOrganisationForm = ({ onDone, onBack }: CreateOrganisationFormProps) => {
  const { team, shell } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const create = useMutation({
    mutationFn: () => platformPost<{ name: string }>('/organisations', { name: name.trim() }),
    async onSuccess(made) {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      toast(team.created(made.name))
      onDone()
    },
  })
  const isRefused = create.error instanceof PlatformError && create.error.param === 'name'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() !== '' && !create.isPending) create.mutate()
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{team.createText}</p>
      <Field
        label={team.name}
        value={name}
        error={isMissing ? team.nameNeeded : isRefused ? team.nameRefused : null}
        required
        autoFocus
        autoComplete="organization"
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      {create.isError && !isRefused ? <ErrorNotice error={create.error} title={team.notCreated} /> : null}
      <div className="actions">
        <Button onClick={onBack}>{shell.cancel}</Button>
        <Button type="submit" look="primary" busy={create.isPending}>
          {team.create}
        </Button>
      </div>
    </form>
  )
}
