import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { knowsPasskeys, signWithPasskey } from '../../../../platform/passkeys.ts'
import { usePlatform } from '../../../app-state.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useWords } from '../../../words-context.tsx'
import { isCancelled } from './is-cancelled.ts'

/** A passkey proves both that it is this person and that they have a second factor. */
export const PasskeyConfirm = ({ onConfirmed }: { onConfirmed(): void }) => {
  const platform = usePlatform()
  const { signInMethods } = useWords()
  const confirm = useMutation({
    async mutationFn() {
      const question = await platform.askConfirmation()
      await platform.confirmByPasskey({ body: await signWithPasskey(question) })
    },
    onSuccess: onConfirmed,
  })
  if (!knowsPasskeys()) return null
  return (
    <>
      <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
        <Fingerprint size={16} strokeWidth={1.5} aria-hidden />
        {signInMethods.confirmByPasskey}
      </Button>
      {confirm.isError && !isCancelled(confirm.error) ? <ErrorNotice error={confirm.error} /> : null}
    </>
  )
}
