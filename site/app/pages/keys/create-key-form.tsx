import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { NewKey } from '../../../platform/types.ts'
import { usePlatform } from '../../app-state.ts'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useWords } from '../../words-context.tsx'
import { DraftFields } from './draft-fields.tsx'
import { emptyDraft } from './key-draft.ts'
import { KeyFields } from './key-fields.tsx'
import { rejectedField, useKeyForm } from './use-key-form.ts'

type CreateKeyFormProps = { onCreated(newKey: NewKey): void; onClose(): void }

export const CreateKeyForm = ({ onCreated, onClose }: CreateKeyFormProps) => {
  const platform = usePlatform()
  const { keys, shell } = useWords()
  const queryClient = useQueryClient()
  const advanced = useRef<HTMLDetailsElement>(null)
  const form = useKeyForm({ name: '', expiry: { choice: 'never', date: '' }, draft: emptyDraft })
  /** Errors inside must not stay collapsed. */
  const unfold = (): void => {
    if (advanced.current !== null) advanced.current.open = true
  }
  const create = useMutation({
    mutationFn: (wanted: NonNullable<ReturnType<typeof form.read>>) => platform.createKey({ body: wanted }),
    // The secret is kept nowhere but on the page.
    gcTime: 0,
    onSuccess(newKey) {
      void queryClient.invalidateQueries({ queryKey: ['keys'] })
      onCreated(newKey)
    },
    onError(error) {
      if (form.showRefusal(error) && rejectedField(error) !== 'name') unfold()
    },
  })
  const submit = (): void => {
    const wanted = form.read()
    if (wanted !== null) create.mutate(wanted)
    else if (form.name.trim() !== '') unfold()
  }
  return (
    <DialogForm
      submit={keys.create}
      request={create}
      hidesError={rejectedField(create.error) !== null}
      errorTitle={shell.keyNotCreated}
      onSubmit={submit}
      onCancel={onClose}
    >
      <KeyFields form={form} isNew />
      <details ref={advanced} className="advanced">
        <summary>{keys.advanced}</summary>
        <div className="stack">
          <DraftFields
            draft={form.draft}
            wrong={form.wrong}
            isNew
            onLeaveLimit={form.checkLimit}
            onChange={form.setDraft}
          />
        </div>
      </details>
    </DialogForm>
  )
}
