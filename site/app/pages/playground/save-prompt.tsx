import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { isBlank, writeContent } from './draft-content.ts'
import { promptsQuery } from './prompts-query.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

/** Saves what is in the playground: as a new version of the prompt that is open, or under a name of its own. */
export const SavePrompt = ({ onSaved }: { onSaved(): void }) => {
  const platform = usePlatform()
  const { prompts } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const state = usePlayground()
  const { saved } = state
  const { store } = usePlaygroundParts()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const save = useMutation({
    mutationFn(id: string | null) {
      const content = writeContent({ ...store.read(), saved: null, conversation: null, leftOut: [] })
      return id === null
        ? platform.createPrompt({ body: { name: name.trim(), isShared, content } })
        : platform.changePrompt({ params: { prompt: id }, body: { content } })
    },
    async onSuccess({ prompt: { id, name: savedName, version } }) {
      store.change({ saved: { id, name: savedName, version, isOwn: true } })
      setName('')
      await queryClient.invalidateQueries({ queryKey: promptsQuery(platform).queryKey })
      onSaved()
      toast(prompts.savedAs(savedName, version))
    },
  })
  const isRefused = save.error instanceof PlatformError && save.error.param === 'name'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() !== '' && !save.isPending) save.mutate(null)
  }
  if (isBlank(state)) return <p className="muted">{prompts.nothingToSave}</p>
  return (
    <form className="save-prompt" onSubmit={submit} noValidate>
      <p className="muted">{prompts.saveHelp}</p>
      {saved?.isOwn ? (
        <Button look="primary" busy={save.isPending} onClick={() => save.mutate(saved.id)}>
          {prompts.saveVersion(saved.name)}
        </Button>
      ) : null}
      <Field
        label={saved?.isOwn ? prompts.saveAs : prompts.name}
        value={name}
        error={isMissing ? prompts.nameNeeded : isRefused ? prompts.nameRefused : null}
        required
        autoComplete="off"
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <label className="switch">
        <input type="checkbox" checked={isShared} onChange={(event) => setShared(event.target.checked)} />
        {prompts.share}
      </label>
      <Button type="submit" busy={save.isPending}>
        {prompts.save}
      </Button>
      {save.isError && !isRefused ? <ErrorNotice error={save.error} title={prompts.notSaved} /> : null}
    </form>
  )
}
