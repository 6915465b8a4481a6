import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlatform } from '../../../app-state.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogForm } from '../../../components/dialog-form.tsx'
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
  const platform = usePlatform()
  const { signInMethods } = useWords()
  const [name, setName] = useState(passkey.name)
  const queryClient = useQueryClient()
  const rename = useMutation({
    mutationFn: () => platform.renamePasskey({ params: { passkey: passkey.id }, body: { name } }),
    async onSuccess() {
      onClose()
      await queryClient.invalidateQueries({ queryKey: methodsKey })
    },
  })
  return (
    <DialogForm
      submit={signInMethods.saveName}
      request={rename}
      onSubmit={() => name.trim() !== '' && rename.mutate()}
      onCancel={onClose}
    >
      <Field
        label={signInMethods.passkeyName}
        help={signInMethods.passkeyNameHelp}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </DialogForm>
  )
}
