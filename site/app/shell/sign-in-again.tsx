import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { knowsPasskeys, signWithPasskey } from '../../platform/passkeys.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Entered } from '../../platform/types.ts'
import { errorText } from '../../words/error-text.ts'
import { useAppState } from '../app-state.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'

type SignInAgainProps = { email: string; isOpen: boolean; onClose(): void }

/** Asks to sign in above the page, so that nothing typed on it is lost: password and two-factor code, or a passkey. */
export const SignInAgain = ({ email, isOpen, onClose }: SignInAgainProps) => {
  const { shell, signInMethods, errors } = useWords()
  const { passkeys } = useSession()
  const { platform, credentials } = useAppState()
  const [typed, setTyped] = useState('')
  /** Replaces the password while the code is asked for. */
  const [stepToken, setStepToken] = useState<string | null>(null)
  const queryClient = useQueryClient()
  const goOn = async ({ secondStep }: Entered): Promise<void> => {
    credentials.csrfToken = null
    setTyped('')
    setStepToken(secondStep?.token ?? null)
    if (secondStep !== undefined) return
    onClose()
    await queryClient.invalidateQueries()
  }
  const signIn = useMutation({
    mutationFn() {
      credentials.csrfToken = null
      return stepToken === null
        ? platform.signIn({ body: { email, password: typed } })
        : platform.finishSignIn({ body: { token: stepToken, code: typed } })
    },
    onSuccess: goOn,
    onError: (error) => isOver(error) && setStepToken(null),
  })
  const byPasskey = useMutation({
    async mutationFn() {
      credentials.csrfToken = null
      const question = await platform.askPasskey()
      return platform.signInByPasskey({ body: await signWithPasskey(question) })
    },
    onSuccess: goOn,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!signIn.isPending) signIn.mutate()
  }
  const field = {
    value: typed,
    required: true,
    // The dialog looks for the attribute when it opens; React would only focus before that.
    ref: (input: HTMLInputElement | null) => input?.setAttribute('autofocus', ''),
    onChange: (event: { target: { value: string } }) => {
      setTyped(event.target.value)
      if (signIn.isError) signIn.reset()
    },
    error: signIn.isError ? errorText(signIn.error, errors) : null,
  }
  return (
    <Dialog isOpen={isOpen} title={shell.sessionEndedTitle} onClose={onClose}>
      <p>{shell.sessionEndedText}</p>
      <form className="stack" onSubmit={submit}>
        <input
          className="visually-hidden"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        {stepToken === null ? (
          <PasswordField label={shell.password} {...field} />
        ) : (
          <Field
            label={signInMethods.code}
            help={signInMethods.codeHelp}
            autoComplete="one-time-code"
            className="mono"
            {...field}
          />
        )}
        {passkeys && knowsPasskeys() ? (
          <Button busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            <Fingerprint size={16} strokeWidth={1.5} aria-hidden />
            {signInMethods.signInByPasskey}
          </Button>
        ) : null}
        <div className="actions">
          <Button onClick={() => location.assign('/signin')}>{shell.signOut}</Button>
          <Button type="submit" look="primary" busy={signIn.isPending}>
            {shell.signIn}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Back to the password. */
const isOver = (error: unknown): boolean => error instanceof PlatformError && error.code === 'second_step_expired'
