import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { platformPost } from '../../../platform/platform.ts'
import type { Key } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'

type RevokeKeyProps = { apiKey: Key | null; onClose(): void; onRevoked(): void }

/** Asks for the name, so that nobody revokes the wrong key. */
export const RevokeKey = ({ apiKey, onClose, onRevoked }: RevokeKeyProps) => {
  const { keys } = useWords()
  return (
    <Dialog isOpen={apiKey !== null} title={apiKey === null ? '' : keys.revokeTitle(apiKey.name)} onClose={onClose}>
      {apiKey === null ? null : <RevokeForm apiKey={apiKey} onClose={onClose} onRevoked={onRevoked} />}
    </Dialog>
  )
}

const RevokeForm = ({ apiKey, onClose, onRevoked }: RevokeKeyProps & { apiKey: Key }) => {
  const { keys } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim() === apiKey.name
  const revoke = useMutation({
    mutationFn: () => platformPost<Key>(`/keys/${apiKey.id}/revoke`, { name: apiKey.name }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
      toast(keys.revoked(apiKey.name))
      onRevoked()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isConfirmed && !revoke.isPending) revoke.mutate()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p>{keys.revokeText}</p>
      <Field
        label={keys.revokeType(apiKey.name)}
        value={typed}
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      {revoke.isError ? <ErrorNotice error={revoke.error} title={keys.revokeFailed} /> : null}
      <div className="actions">
        <Button onClick={onClose}>{keys.keep}</Button>
        <Button type="submit" look="danger" disabled={!isConfirmed} busy={revoke.isPending}>
          {keys.revokeNow}
        </Button>
      </div>
    </form>
  )
}
