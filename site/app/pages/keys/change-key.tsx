import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { platformPost } from '../../../platform/platform.ts'
import type { Key } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { changedFields } from './changed-fields.ts'
import { DraftFields } from './draft-fields.tsx'
import { ExpiryFields } from './expiry-fields.tsx'
import { draftOf } from './key-draft.ts'
import { keysQuery } from './keys-query.ts'
import { mayManage } from './may-change.ts'
import { fieldOf, useKeyForm } from './use-key-form.ts'
import { useSeenLimits } from './use-seen-limits.ts'

type ChangeKeyProps = { apiKey: Key | null; onClose(): void }

/** Everything about a key but its secret and what it may do. */
export const ChangeKey = ({ apiKey, onClose }: ChangeKeyProps) => {
  const { keys } = useWords()
  return (
    <Dialog isOpen={apiKey !== null} title={apiKey === null ? '' : keys.changeTitle(apiKey.name)} onClose={onClose}>
      {apiKey === null ? null : <ChangeForm apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  )
}

const ChangeForm = ({ apiKey, onClose }: { apiKey: Key; onClose(): void }) => {
  const { shell, keys, limits } = useWords()
  const { organisation } = useSession()
  const toast = useToast()
  const queryClient = useQueryClient()
  const form = useKeyForm({ name: apiKey.name, expiry: { choice: 'keep', date: '' }, draft: draftOf(apiKey) })
  const { seen, meet, othersChange } = useSeenLimits({
    first: apiKey.limits,
    none: limits.liftedMeanwhile,
    async readNow() {
      const { data } = await queryClient.fetchQuery({ ...keysQuery, staleTime: 0 })
      return data.find(({ id }) => id === apiKey.id)?.limits
    },
    onTexts: (update) => form.setDraft((draft) => ({ ...draft, limits: update(draft.limits) })),
  })
  const change = useMutation({
    mutationFn: (changes: object) => platformPost<Key>(`/keys/${apiKey.id}`, changes),
    async onSuccess({ name }) {
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
      toast(keys.changed(name))
      onClose()
    },
    onError: (error) => (form.showRefusal(error) ? undefined : meet(error)),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const wanted = change.isPending ? null : form.read()
    if (wanted === null) return
    change.mutate(changedFields(wanted, { ...apiKey, limits: seen }, mayManage(organisation.role)))
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field
        ref={form.nameRef}
        label={keys.name}
        error={form.wrongName}
        value={form.name}
        required
        autoFocus
        autoComplete="off"
        onChange={(event) => form.setName(event.target.value)}
      />
      <ExpiryFields
        expiry={form.expiry}
        mayKeep
        isWrong={form.isDateWrong}
        dateRef={form.dateRef}
        onChange={form.setExpiry}
      />
      <DraftFields
        draft={form.draft}
        wrong={form.wrong}
        isNew={false}
        limitHelp={othersChange}
        onChange={form.setDraft}
      />
      {change.isError && fieldOf(change.error) === null ? (
        <ErrorNotice error={change.error} title={keys.changeFailed} />
      ) : null}
      <div className="actions">
        <Button onClick={onClose}>{shell.cancel}</Button>
        <Button type="submit" look="primary" busy={change.isPending}>
          {keys.save}
        </Button>
      </div>
    </form>
  )
}
