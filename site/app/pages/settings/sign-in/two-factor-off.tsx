import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PlatformError } from '../../../../platform/platform-error.ts'
import { errorText } from '../../../../words/error-text.ts'
import { usePlatform } from '../../../app-state.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogForm } from '../../../components/dialog-form.tsx'
import { Field } from '../../../components/field.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { useToast } from '../../../components/toasts.tsx'
import { useWords } from '../../../words-context.tsx'
import { useConfirmed } from './confirmation.tsx'
import { isCancelled } from './is-cancelled.ts'

type TwoFactorOffProps = { isOpen: boolean; hasPassword: boolean; onClose(): void }

export const TwoFactorOff = ({ isOpen, hasPassword, onClose }: TwoFactorOffProps) => {
  const { signInMethods } = useWords()
  return (
    <Dialog isOpen={isOpen} title={signInMethods.offTitle} onClose={onClose}>
      <OffForm hasPassword={hasPassword} onClose={onClose} />
    </Dialog>
  )
}

const OffForm = ({ hasPassword, onClose }: Omit<TwoFactorOffProps, 'isOpen'>) => {
  const platform = usePlatform()
  const { signInMethods, shell, settings, errors } = useWords()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const confirmed = useConfirmed()
  const queryClient = useQueryClient()
  const toast = useToast()
  const off = useMutation({
    mutationFn: () =>
      confirmed(() => platform.switchOffTwoFactor({ body: { code, ...(hasPassword ? { password } : {}) } })),
    async onSuccess() {
      onClose()
      toast(signInMethods.isOff)
      await queryClient.invalidateQueries()
    },
  })
  const failed = off.error instanceof PlatformError ? off.error.code : null
  const belongsToField = failed === 'wrong_password' || failed === 'wrong_code'
  return (
    <DialogForm
      danger
      submit={signInMethods.switchOff}
      request={off}
      hidesError={belongsToField || isCancelled(off.error)}
      onSubmit={() => code !== '' && (password !== '' || !hasPassword) && off.mutate()}
      onCancel={onClose}
      onChange={() => off.isError && off.reset()}
    >
      <p>{signInMethods.offText}</p>
      {hasPassword ? (
        <PasswordField
          label={shell.password}
          value={password}
          error={failed === 'wrong_password' ? settings.wrongPassword : null}
          onChange={(event) => setPassword(event.target.value)}
        />
      ) : null}
      <Field
        label={signInMethods.code}
        help={signInMethods.codeHelp}
        autoComplete="one-time-code"
        className="mono"
        value={code}
        error={failed === 'wrong_code' ? errorText(off.error, errors) : null}
        onChange={(event) => setCode(event.target.value)}
      />
    </DialogForm>
  )
}
