import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { platformPost } from '../../../platform/platform.ts'
import type { NewKey } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useWords } from '../../words-context.tsx'
import { DraftFields } from './draft-fields.tsx'
import { ExpiryFields } from './expiry-fields.tsx'
import { emptyDraft } from './key-draft.ts'
import { fieldOf, useKeyForm } from './use-key-form.ts'

type CreateKeyFormProps = { onCreated(newKey: NewKey): void; onClose(): void }

export const CreateKeyForm = ({ onCreated, onClose }: CreateKeyFormProps) => {
  const { shell, keys } = useWords()
  const queryClient = useQueryClient()
  const advanced = useRef<HTMLDetailsElement>(null)
  const form = useKeyForm({ name: '', expiry: { choice: 'never', date: '' }, draft: emptyDraft })
  /** Errors inside must not stay collapsed. */
  const unfold = (): void => {
    if (advanced.current !== null) advanced.current.open = true
  }
  const create = useMutation({
    mutationFn: (wanted: NonNullable<ReturnType<typeof form.read>>) => platformPost<NewKey>('/keys', wanted),
    // The secret is kept nowhere but on the page.
    gcTime: 0,
    onSuccess(newKey) {
      void queryClient.invalidateQueries({ queryKey: ['keys'] })
      onCreated(newKey)
    },
    onError(error) {
      if (form.showRefusal(error) && fieldOf(error) !== 'name') unfold()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (create.isPending) return
    const wanted = form.read()
    if (wanted !== null) create.mutate(wanted)
    else if (form.name.trim() !== '') unfold()
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field
        ref={form.nameRef}
        label={keys.name}
        help={keys.createText}
        error={form.wrongName}
        value={form.name}
        required
        autoFocus
        autoComplete="off"
        onChange={(event) => form.setName(event.target.value)}
      />
      <ExpiryFields
        expiry={form.expiry}
        mayKeep={false}
        isWrong={form.isDateWrong}
        dateRef={form.dateRef}
        onChange={form.setExpiry}
      />
      <details ref={advanced} className="advanced">
        <summary>{keys.advanced}</summary>
        <div className="stack">
          <DraftFields draft={form.draft} wrong={form.wrong} isNew onChange={form.setDraft} />
        </div>
      </details>
      {create.isError && fieldOf(create.error) === null ? (
        <ErrorNotice error={create.error} title={keys.createFailed} />
      ) : null}
      <div className="actions">
        <Button onClick={onClose}>{shell.cancel}</Button>
        <Button type="submit" look="primary" busy={create.isPending}>
          {keys.create}
        </Button>
      </div>
    </form>
  )
}
