import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../../../words/error-text.ts'
import { usePlatform } from '../../../app-state.ts'
import { Button } from '../../../components/button.tsx'
import { Field } from '../../../components/field.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { useWords } from '../../../words-context.tsx'
import { methodsQuery } from './methods-query.ts'
import { PasskeyConfirm } from './passkey-confirm.tsx'
import { SignInAgainLink } from './sign-in-again-link.tsx'

type ConfirmFormProps = { onConfirmed(): void; onCancel(): void }

/** Confirms the person's identity: by password, by code if there is no password, or by passkey. */
export const ConfirmForm = ({ onConfirmed, onCancel }: ConfirmFormProps) => {
  const platform = usePlatform()
  const { signInMethods, shell, errors } = useWords()
  const { data: methods } = useQuery(methodsQuery(platform))
  const [typed, setTyped] = useState('')
  const asksCode = methods?.hasPassword === false && methods.twoFactor !== null
  const confirm = useMutation({
    mutationFn: () => platform.confirm({ body: asksCode ? { code: typed } : { password: typed } }),
    onSuccess: onConfirmed,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (typed !== '' && !confirm.isPending) confirm.mutate()
  }
  const error = confirm.isError ? errorText(confirm.error, errors) : null
  const common = {
    value: typed,
    error,
    required: true,
    ref: (field: HTMLInputElement | null) => field?.setAttribute('autofocus', ''),
    onChange: (event: { target: { value: string } }) => {
      setTyped(event.target.value)
      if (confirm.isError) confirm.reset()
    },
  }
  if (methods === undefined) return <p>{shell.loading}</p>
  if (!methods.hasPassword && !asksCode && methods.passkeys.length === 0) return <SignInAgainLink onCancel={onCancel} />
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{signInMethods.confirmText}</p>
      {methods.hasPassword ? <PasswordField label={shell.password} {...common} /> : null}
      {asksCode ? <Field label={signInMethods.code} autoComplete="one-time-code" className="mono" {...common} /> : null}
      {methods.passkeys.length > 0 ? <PasskeyConfirm onConfirmed={onConfirmed} /> : null}
      <div className="actions">
        <Button onClick={onCancel}>{shell.cancel}</Button>
        {methods.hasPassword || asksCode ? (
          <Button type="submit" look="primary" busy={confirm.isPending}>
            {signInMethods.confirm}
          </Button>
        ) : null}
      </div>
    </form>
  )
}
