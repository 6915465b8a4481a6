import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { platformPost } from '../../../../platform/platform.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Fault } from '../../../components/fault.tsx'
import { Field } from '../../../components/field.tsx'
import { useWords } from '../../../words-context.tsx'
import { methodsKey, type Passkey } from './methods-query.ts'

/** Right after one is made, and whenever its owner wants another name for it. */
export const RenamePasskey = ({ passkey, onClose }: { passkey: Passkey | null; onClose(): void }) => {
  const { ways } = useWords()
  return (
    <Dialog isOpen={passkey !== null} title={ways.nameTitle} onClose={onClose}>
      {passkey === null ? null : <RenameForm key={passkey.id} passkey={passkey} onClose={onClose} />}
    </Dialog>
  )
}

const RenameForm = ({ passkey, onClose }: { passkey: Passkey; onClose(): void }) => {
  const { ways, shell } = useWords()
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
        label={ways.passkeyName}
        help={ways.passkeyNameHelp}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {rename.isError ? <Fault error={rename.error} /> : null}
      <div className="actions">
        <Button onClick={onClose}>{shell.cancel}</Button>
        <Button type="submit" look="primary" busy={rename.isPending}>
          {ways.saveName}
        </Button>
      </div>
    </form>
  )
}
