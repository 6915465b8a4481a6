import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { useDialog } from '../../address/use-dialog.ts'
import { usePlatform } from '../../app-state.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { Field } from '../../components/field.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { sessionKey, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { useConfirmed } from './sign-in/confirmation.tsx'
import { isCancelled } from './sign-in/is-cancelled.ts'
import { methodsQuery } from './sign-in/methods-query.ts'

/** Another address for the account: by a link to it, or at once where the server sends no mail. */
export const ChangeEmail = () => {
  const { settings } = useWords()
  const { isOpen, open, close } = useDialog('email')
  return (
    <>
      <button type="button" className="link small" aria-label={settings.changeEmailTitle} onClick={() => open()}>
        {settings.changeEmail}
      </button>
      <Dialog isOpen={isOpen} title={settings.changeEmailTitle} onClose={close}>
        {isOpen ? <EmailForm onClose={close} /> : null}
      </Dialog>
    </>
  )
}

const EmailForm = ({ onClose }: { onClose(): void }) => {
  const platform = usePlatform()
  const { settings, shell, errors } = useWords()
  const { mail } = useSession()
  const { data: methods } = useQuery(methodsQuery(platform))
  const hasPassword = methods?.hasPassword ?? true
  const confirmed = useConfirmed()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () => confirmed(() => platform.changeEmail({ body: hasPassword ? { email, password } : { email } })),
    async onSuccess({ outcome }) {
      await queryClient.invalidateQueries({ queryKey: sessionKey })
      toast((outcome === 'mailed' ? settings.emailMailed : settings.emailChanged)(email.trim()))
      onClose()
    },
  })
  const field = rejectedField(change.error)
  const fieldError = (name: 'email' | 'password'): string | null => {
    if (field !== name) return null
    const isTaken = change.error instanceof PlatformError && change.error.code === 'email_taken'
    return isTaken ? settings.emailInUse : errorText(change.error, errors)
  }
  return (
    <DialogForm
      submit={settings.saveEmail}
      request={change}
      hidesError={field !== null || isCancelled(change.error)}
      onSubmit={change.mutate}
      onCancel={onClose}
      onChange={() => change.isError && change.reset()}
    >
      <p>{mail ? settings.changeEmailByMail : settings.changeEmailAtOnce}</p>
      <Field
        label={settings.newEmail}
        type="email"
        autoComplete="email"
        autoFocus
        value={email}
        error={fieldError('email')}
        onChange={(event) => setEmail(event.target.value)}
      />
      {hasPassword ? (
        <PasswordField
          label={shell.password}
          value={password}
          error={fieldError('password')}
          onChange={(event) => setPassword(event.target.value)}
        />
      ) : null}
    </DialogForm>
  )
}

const rejectedField = (error: unknown): 'email' | 'password' | null => {
  if (!(error instanceof PlatformError)) return null
  return error.param === 'email' || error.param === 'password' ? error.param : null
}
