import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../admin-words-context.tsx'
import { usePlatform } from '../app-state.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { useToast } from './toasts.tsx'

type SuspendButtonProps = {
  things: 'accounts' | 'organisations' | 'keys'
  id: string
  name: string
  isSuspended: boolean
}

const operations = {
  accounts: { suspend: 'suspendAccount', resume: 'resumeAccount' },
  organisations: { suspend: 'suspendOrganisation', resume: 'resumeOrganisation' },
  keys: { suspend: 'suspendKey', resume: 'resumeKey' },
} as const

/** For the server's owner: suspends something at once, or resumes it. Only suspending asks for confirmation. */
export const SuspendButton = ({ things, id, name, isSuspended }: SuspendButtonProps) => {
  const platform = usePlatform()
  const { admin, shell } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const change = useMutation({
    mutationFn: (act: 'suspend' | 'resume') => platform[operations[things][act]]({ params: { id } }),
    async onSuccess(_, act) {
      setAsking(false)
      toast(act === 'suspend' ? admin.suspendedNow(name) : admin.resumedNow(name))
      await Promise.all(['accounts', 'organisations'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
    },
  })
  if (isSuspended) {
    return (
      <>
        <Button aria-label={admin.resumeOf(name)} busy={change.isPending} onClick={() => change.mutate('resume')}>
          {admin.resume}
        </Button>
        {change.isError ? <ErrorNotice error={change.error} title={admin.notResumed} /> : null}
      </>
    )
  }
  return (
    <>
      <Button aria-label={admin.suspendOf(name)} onClick={() => setAsking(true)}>
        {admin.suspend}
      </Button>
      <Dialog isOpen={isAsking} title={admin.suspendTitle(name)} onClose={() => setAsking(false)}>
        <p>{admin.suspendTexts[things]}</p>
        <p className="muted">{admin.suspendUndo}</p>
        {change.isError ? <ErrorNotice error={change.error} title={admin.notSuspended} /> : null}
        <div className="actions">
          <Button onClick={() => setAsking(false)}>{shell.cancel}</Button>
          <Button look="danger" busy={change.isPending} onClick={() => change.mutate('suspend')}>
            {admin.suspendNow}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
