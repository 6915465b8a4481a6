import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { useConfirmed } from './sign-in/confirmation.tsx'
import { isCancelled } from './sign-in/is-cancelled.ts'
import { methodsQuery } from './sign-in/methods-query.ts'

/** The password (or another proof, where there is none) confirms the person, and the typed email confirms the intention. */
export const DeleteForm = ({ onKeep }: { onKeep(): void }) => {
  const platform = usePlatform()
  const { settings, shell, signInMethods } = useWords()
  const { account } = useSession()
  const { data: methods } = useQuery(methodsQuery(platform))
  const hasPassword = methods?.hasPassword ?? true
  const confirmed = useConfirmed()
  const [password, setPassword] = useState('')
  const [typed, setTyped] = useState('')
  const [wasLeft, setLeft] = useState(false)
  const remove = useMutation({
    mutationFn: () => confirmed(() => platform.deleteAccount({ body: hasPassword ? { password } : {} })),
    onSuccess: () => location.assign('/'),
  })
  const isSame = typed.trim().toLowerCase() === account.email.toLowerCase()
  const isReady = isSame && (password !== '' || !hasPassword)
  const isWrongPassword = remove.error instanceof PlatformError && remove.error.code === 'wrong_password'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setLeft(true)
    if (isReady && !remove.isPending) remove.mutate()
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{settings.deleteConsequence}</p>
      <Field
        label={settings.typeEmail(account.email)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed}
        error={wasLeft && typed !== '' && !isSame ? settings.mismatch : null}
        onBlur={() => setLeft(true)}
        onChange={(event) => {
          setTyped(event.target.value)
          setLeft(false)
        }}
      />
      {hasPassword ? (
        <PasswordField
          label={shell.password}
          value={password}
          error={isWrongPassword ? settings.wrongPassword : null}
          onChange={(event) => {
            setPassword(event.target.value)
            if (remove.isError) remove.reset()
          }}
        />
      ) : (
        <p className="muted small">{signInMethods.deleteByProof}</p>
      )}
      {remove.isError && !isWrongPassword && !isCancelled(remove.error) ? <ErrorNotice error={remove.error} /> : null}
      <div className="actions">
        <Button onClick={onKeep}>{shell.cancel}</Button>
        <Button type="submit" look="danger" aria-disabled={isReady ? undefined : true} busy={remove.isPending}>
          {settings.deleteAccount}
        </Button>
      </div>
    </form>
  )
}
