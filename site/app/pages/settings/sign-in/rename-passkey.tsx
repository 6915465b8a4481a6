import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { platformPost } from '../../../../platform/platform.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Field } from '../../../components/field.tsx'
import { useWords } from '../../../words-context.tsx'
import { methodsKey, type Passkey } from './methods-query.ts'

/** Names a passkey when it is created, or renames it later. */
export const RenamePasskey = ({ passkey, onClose }: { passkey: Passkey | null; onClose(): void }) => {
  const { signInMethods } = useWords()
  return (
    <Dialog isOpen={passkey !== null} title={signInMethods.nameTitle} onClose={onClose}>
      {passkey === null ? null : <RenameForm key={passkey.id} passkey={passkey} onClose={onClose} />}
    </Dialog>
  )
}

const RenameForm = ({ passkey, onClose }: { passkey: Passkey; onClose(): void }) => {
  const { signInMethods, shell } = useWords()
  const [name, setName] = useState(passkey.name)
  const queryClient = useQueryClient()
  const rename = useMutation({
    mutationFn: () => platformPost(`/account/passkeys/${passkey.id}/rename`, { name }),
    async onSuccess() {
      onClose()
      await queryClient.invalidateQueries({ queryKey: methodsKey })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() !== '' && !rename.isPending) rename.mutate()
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field
        label={signInMethods.passkeyName}
        help={signInMethods.passkeyNameHelp}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {rename.isError ? <ErrorNotice error={rename.error} /> : null}
      <div className="actions">
        <Button onClick={onClose}>{shell.cancel}</Button>
        <Button type="submit" look="primary" busy={rename.isPending}>
          {signInMethods.saveName}
        </Button>
      </div>
    </form>
  )
}
