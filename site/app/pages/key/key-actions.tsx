import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { Key } from '../../../platform/types.ts'
import { useDialog } from '../../address/use-dialog.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { ChangeKey } from '../keys/change-key.tsx'
import { mayChange } from '../keys/may-change.ts'
import { RevokeKey } from '../keys/revoke-key.tsx'
import { RotateKey } from '../keys/rotate-key.tsx'
import type { KeyDetails } from './key-query.ts'

type KeyActionsProps = {
  apiKey: KeyDetails
  /** Takes the focus once the key is revoked, because the buttons are gone then. */
  head: RefObject<HTMLHeadingElement | null>
}

/** What can be done with a key. Nothing, if it is revoked or somebody else's. */
export const KeyActions = ({ apiKey, head }: KeyActionsProps) => {
  const { keys } = useWords()
  const { account, organisation } = useSession()
  const rotating = useDialog('rotate')
  const changing = useDialog('edit')
  const revoking = useDialog('revoke')
  const [wasRevoked, setRevoked] = useState(false)
  const isOver = apiKey.revokedAt !== null
  const isMine = mayChange(apiKey, { email: account.email, role: organisation.role })
  useEffect(() => {
    if (wasRevoked && isOver && !revoking.isOpen) head.current?.focus()
  }, [wasRevoked, isOver, revoking.isOpen, head])
  const revoked = (): void => {
    setRevoked(true)
    revoking.close()
  }
  // The new secret is shown by the dialog even if the key has been revoked meanwhile.
  const keyFor = ({ isOpen }: { isOpen: boolean }): Key | null => (isOpen && isMine && !isOver ? apiKey : null)
  return (
    <>
      {isOver ? null : isMine ? (
        <div className="actions key-actions">
          <Button onClick={() => changing.open()}>{keys.change}</Button>
          <Button onClick={() => rotating.open()}>{keys.rotate}</Button>
          <PauseButton apiKey={apiKey} />
          <Button onClick={() => revoking.open()}>{keys.revoke}</Button>
        </div>
      ) : (
        <p className="small">{keys.notYours}</p>
      )}
      <RotateKey apiKey={keyFor(rotating)} onClose={rotating.close} />
      <ChangeKey apiKey={keyFor(changing)} onClose={changing.close} />
      <RevokeKey apiKey={keyFor(revoking)} onClose={revoking.close} onRevoked={revoked} />
    </>
  )
}

/** Stops the key, or lets it work again. Nothing is lost, so it does not ask. */
const PauseButton = ({ apiKey: { id, name, pausedAt } }: { apiKey: Key }) => {
  const platform = usePlatform()
  const { keys } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const isPaused = pausedAt !== null
  const change = useMutation({
    mutationFn: () => (isPaused ? platform.unpauseKey : platform.pauseKey)({ params: { key: id } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
      toast(isPaused ? keys.resumedNow(name) : keys.pausedNow(name))
    },
  })
  return (
    <>
      <Button busy={change.isPending} onClick={() => change.mutate()}>
        {isPaused ? keys.resume : keys.pause}
      </Button>
      {change.isError ? <ErrorNotice error={change.error} title={keys.changeFailed} /> : null}
    </>
  )
}
