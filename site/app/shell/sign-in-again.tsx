import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { forgetToken, platformPost } from '../../platform/platform.ts'
import type { SignedIn } from '../../platform/types.ts'
import { faultText } from '../../words/fault-text.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { onSessionEnd } from '../session-end.ts'
import { useWords } from '../words-context.tsx'

/** Asks for the password over the page, so that nothing typed on it is lost. */
export const SignInAgain = ({ email }: { email: string }) => {
  const { shell, faults } = useWords()
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const queryClient = useQueryClient()
  useEffect(() => onSessionEnd(() => setOpen(true)), [])
  const signIn = useMutation({
    async mutationFn() {
      forgetToken()
      return platformPost<SignedIn>('/sign-in', { email, password })
    },
    async onSuccess() {
      forgetToken()
      setPassword('')
      setOpen(false)
      await queryClient.invalidateQueries()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <Dialog isOpen={isOpen} title={shell.sessionEndedTitle} onClose={() => setOpen(false)}>
      <p>{shell.sessionEndedText}</p>
      <form className="grid gap-4" onSubmit={submit}>
        <input
          className="aside"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <PasswordField
          label={shell.password}
          value={password}
          required
          // The dialog looks for the attribute when it opens; React would only focus before that.
          ref={(field) => field?.setAttribute('autofocus', '')}
          onChange={(event) => setPassword(event.target.value)}
          error={signIn.isError ? faultText(signIn.error, faults) : null}
        />
        <div className="acts">
          <Button onClick={() => location.assign('/signin')}>{shell.signOut}</Button>
          <Button type="submit" look="primary" busy={signIn.isPending}>
            {shell.signIn}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
