import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { sessionKey, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'

/** The display name. If it is empty, the email is shown. */
export const NameForm = () => {
  const platform = usePlatform()
  const { signInMethods, shell } = useWords()
  const { account } = useSession()
  const [name, setName] = useState(account.name ?? '')
  const queryClient = useQueryClient()
  const toast = useToast()
  const save = useMutation({
    mutationFn: () => platform.setProfile({ body: { name: name.trim() === '' ? null : name } }),
    async onSuccess() {
      toast(signInMethods.nameSaved)
      await queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <form className="stack" onSubmit={submit} onChange={() => save.isError && save.reset()} noValidate>
      <Field
        label={shell.name}
        help={signInMethods.nameHelp}
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {save.isError ? <ErrorNotice error={save.error} /> : null}
      <Button type="submit" busy={save.isPending}>
        {signInMethods.saveName}
      </Button>
    </form>
  )
}
