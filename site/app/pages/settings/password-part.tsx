import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { useAppState } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { sessionsKey } from './sessions-query.ts'
import { SettingsPart } from './settings-part.tsx'
import { useConfirmed } from './sign-in/confirmation.tsx'
import { isCancelled } from './sign-in/is-cancelled.ts'
import { methodsKey, methodsQuery } from './sign-in/methods-query.ts'

const leastLength = 10

export const PasswordPart = () => {
  const { settings, signInMethods, errors, shell } = useWords()
  const { account } = useSession()
  const { platform, credentials } = useAppState()
  const { data: methods } = useQuery(methodsQuery(platform))
  /** Who signs in elsewhere may set a first one. */
  const isFirst = methods?.hasPassword === false
  const confirmed = useConfirmed()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  /** Fields that were left, or that somebody tried to send. */
  const [checked, setChecked] = useState<'none' | 'new' | 'both'>('none')
  const currentField = useRef<HTMLInputElement>(null)
  const newField = useRef<HTMLInputElement>(null)
  const toast = useToast()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: () =>
      confirmed(() =>
        platform.changePassword({ body: { newPassword: next, ...(isFirst ? {} : { currentPassword: current }) } }),
      ),
    async onSuccess() {
      // The session is a new one, and so is its token.
      credentials.csrfToken = null
      setCurrent('')
      setNext('')
      setChecked('none')
      toast(isFirst ? signInMethods.passwordSet : settings.passwordChanged)
      await queryClient.invalidateQueries({ queryKey: methodsKey })
      await queryClient.invalidateQueries({ queryKey: sessionsKey })
    },
    onError: (error) => (errorField(error) === 'new' ? newField : currentField).current?.focus(),
  })
  const field = change.isError ? errorField(change.error) : null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setChecked('both')
    if (current === '' && !isFirst) currentField.current?.focus()
    else if (next.length < leastLength) newField.current?.focus()
    else if (!change.isPending) change.mutate()
  }
  const currentError =
    field === 'current' ? settings.wrongPassword : checked === 'both' && current === '' ? settings.needed : null
  const isShort = checked !== 'none' && next.length < leastLength
  const newError = field === 'new' ? errorText(change.error, errors) : isShort ? errors.weak_too_short : null
  return (
    <SettingsPart title={shell.password} text={isFirst ? signInMethods.setPasswordText : settings.passwordText}>
      <form className="stack" onSubmit={submit} onChange={() => change.isError && change.reset()} noValidate>
        <input
          className="visually-hidden"
          type="email"
          autoComplete="username"
          value={account.email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        {isFirst ? null : (
          <PasswordField
            ref={currentField}
            label={settings.currentPassword}
            value={current}
            error={currentError}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
        <PasswordField
          ref={newField}
          label={settings.newPassword}
          autoComplete="new-password"
          value={next}
          help={settings.newPasswordHelp}
          error={newError}
          onBlur={() => next !== '' && setChecked((last) => (last === 'none' ? 'new' : last))}
          onChange={(event) => setNext(event.target.value)}
        />
        {change.isError && field === null && !isCancelled(change.error) ? <ErrorNotice error={change.error} /> : null}
        <Button type="submit" busy={change.isPending}>
          {isFirst ? signInMethods.setPassword : settings.changePassword}
        </Button>
      </form>
    </SettingsPart>
  )
}

const errorField = (error: unknown): 'current' | 'new' | null => {
  if (!(error instanceof PlatformError)) return null
  if (error.code === 'wrong_password') return 'current'
  return error.code === 'weak_password' ? 'new' : null
}
