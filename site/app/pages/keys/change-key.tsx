import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Key } from '../../../platform/types.ts'
import { usePlatform } from '../../app-state.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { changedFields, type KeyChanges } from './changed-fields.ts'
import { DraftFields } from './draft-fields.tsx'
import { draftFromKey } from './key-draft.ts'
import { KeyFields } from './key-fields.tsx'
import { keysQuery } from './keys-query.ts'
import { mayManage } from './may-change.ts'
import { rejectedField, useKeyForm } from './use-key-form.ts'
import { useSeenLimits } from './use-seen-limits.ts'

type ChangeKeyProps = { apiKey: Key | null; onClose(): void }

/** Everything about a key but its secret. */
export const ChangeKey = ({ apiKey, onClose }: ChangeKeyProps) => {
  const { keys } = useWords()
  return (
    <Dialog isOpen={apiKey !== null} title={apiKey === null ? '' : keys.changeTitle(apiKey.name)} onClose={onClose}>
      {apiKey === null ? null : <ChangeForm apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  )
}

const ChangeForm = ({ apiKey: newest, onClose }: { apiKey: Key; onClose(): void }) => {
  const platform = usePlatform()
  // The key as it was when the form opened: only what the reader has changed since then is sent.
  const [apiKey] = useState(newest)
  const { keys, limits } = useWords()
  const { organisation } = useSession()
  const toast = useToast()
  const queryClient = useQueryClient()
  const form = useKeyForm({ name: apiKey.name, expiry: { choice: 'keep', date: '' }, draft: draftFromKey(apiKey) })
  const { seen, meet, othersChange } = useSeenLimits({
    first: apiKey.limits,
    none: limits.liftedMeanwhile,
    async readNow() {
      const { data } = await queryClient.fetchQuery({ ...keysQuery(platform), staleTime: 0 })
      return data.find(({ id }) => id === apiKey.id)?.limits
    },
    onTexts: (update) => form.setDraft((draft) => ({ ...draft, limits: update(draft.limits) })),
  })
  const change = useMutation({
    mutationFn: (changes: KeyChanges) => platform.changeKey({ params: { key: apiKey.id }, body: changes }),
    async onSuccess({ name }) {
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
      toast(keys.changed(name))
      onClose()
    },
    onError: (error) => (form.showRefusal(error) ? undefined : meet(error)),
  })
  const submit = (): void => {
    const wanted = form.read()
    if (wanted !== null) change.mutate(changedFields(wanted, { ...apiKey, limits: seen }, mayManage(organisation.role)))
  }
  return (
    <DialogForm
      submit={keys.save}
      request={change}
      hidesError={rejectedField(change.error) !== null}
      errorTitle={keys.changeFailed}
      onSubmit={submit}
      onCancel={onClose}
    >
      <KeyFields form={form} isNew={false} />
      <DraftFields
        draft={form.draft}
        wrong={form.wrong}
        isNew={false}
        limitHelp={othersChange}
        onLeaveLimit={form.checkLimit}
        onChange={form.setDraft}
      />
    </DialogForm>
  )
}
