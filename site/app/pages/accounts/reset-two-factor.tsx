import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useToast } from '../../components/toasts.tsx'

/** For somebody who lost the app and the recovery codes. */
export const ResetTwoFactor = ({ email }: { email: string }) => {
  const platform = usePlatform()
  const { admin, shell } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const reset = useMutation({
    mutationFn: () => platform.resetTwoFactor({ body: { email } }),
    async onSuccess() {
      setAsking(false)
      toast(admin.twoFactorReset(email))
      await queryClient.invalidateQueries({ queryKey: ['accounts'] })
    },
  })
  return (
    <>
      <Button aria-label={admin.resetTwoFactorOf(email)} onClick={() => setAsking(true)}>
        {admin.resetTwoFactor}
      </Button>
      <Dialog isOpen={isAsking} title={admin.resetTwoFactorTitle(email)} onClose={() => setAsking(false)}>
        <p>{admin.resetTwoFactorText}</p>
        {reset.isError ? <ErrorNotice error={reset.error} /> : null}
        <div className="actions">
          <Button onClick={() => setAsking(false)}>{shell.cancel}</Button>
          <Button look="danger" busy={reset.isPending} onClick={() => reset.mutate()}>
            {admin.resetTwoFactorNow}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
