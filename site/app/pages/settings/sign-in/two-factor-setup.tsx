import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TwoFactorSecret } from '../../../../../src/platform/contract/second-factor.ts'
import { errorText } from '../../../../words/error-text.ts'
import { usePlatform } from '../../../app-state.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogForm } from '../../../components/dialog-form.tsx'
import { Field } from '../../../components/field.tsx'
import { sessionKey } from '../../../session.ts'
import { useWords } from '../../../words-context.tsx'
import { methodsKey } from './methods-query.ts'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** First the secret goes into the app, then its first code comes back, then the recovery codes are shown, once. */
export const TwoFactorSetup = ({ secret, onClose }: { secret: TwoFactorSecret | null; onClose(): void }) => {
  const platform = usePlatform()
  const { signInMethods, errors } = useWords()
  const [code, setCode] = useState('')
  const queryClient = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => platform.confirmTwoFactor({ body: { code } }),
    async onSuccess() {
      setCode('')
      await queryClient.invalidateQueries({ queryKey: methodsKey })
    },
  })
  const codes = confirm.data?.recoveryCodes
  const close = (): void => {
    confirm.reset()
    setCode('')
    onClose()
    // The organisation may have waited for this.
    void queryClient.invalidateQueries({ queryKey: sessionKey })
  }
  return (
    <Dialog
      isOpen={secret !== null}
      title={codes === undefined ? signInMethods.setUpTitle : signInMethods.codesTitle}
      onClose={codes === undefined ? close : () => {}}
    >
      {codes === undefined && secret !== null ? (
        <DialogForm
          submit={signInMethods.switchOn}
          request={confirm}
          hidesError
          onSubmit={() => code.trim() !== '' && confirm.mutate()}
          onCancel={close}
          onChange={() => confirm.isError && confirm.reset()}
        >
          <p>{signInMethods.scanText}</p>
          <QrCode text={secret.address} label={signInMethods.qrLabel} />
          <div className="secret-line">
            <span className="mono" translate="no">
              {secret.secret.match(/.{4}/g)?.join(' ')}
            </span>
            <CopyButton text={secret.secret}>{signInMethods.copySecret}</CopyButton>
          </div>
          <Field
            label={signInMethods.firstCode}
            help={signInMethods.firstCodeHelp}
            autoComplete="one-time-code"
            inputMode="numeric"
            className="mono"
            value={code}
            error={confirm.isError ? errorText(confirm.error, errors) : null}
            onChange={(event) => setCode(event.target.value)}
          />
        </DialogForm>
      ) : (
        <RecoveryCodes codes={codes ?? []} onDone={close} />
      )}
    </Dialog>
  )
}
