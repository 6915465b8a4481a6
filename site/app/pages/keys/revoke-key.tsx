import { useQueryClient } from '@tanstack/react-query'
import type { Key } from '../../../platform/types.ts'
import { usePlatform } from '../../app-state.ts'
import { Dialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toasts.tsx'
import { TypedConfirmation } from '../../components/typed-confirmation.tsx'
import { useWords } from '../../words-context.tsx'

type RevokeKeyProps = { apiKey: Key | null; onClose(): void; onRevoked(): void }

/** Asks for the name, so that nobody revokes the wrong key. */
export const RevokeKey = ({ apiKey, onClose, onRevoked }: RevokeKeyProps) => {
  const platform = usePlatform()
  const { keys } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const showRevoked = async (name: string): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
    toast(keys.revoked(name))
    onRevoked()
  }
  return (
    <Dialog isOpen={apiKey !== null} title={apiKey === null ? '' : keys.revokeTitle(apiKey.name)} onClose={onClose}>
      {apiKey === null ? null : (
        <TypedConfirmation
          name={apiKey.name}
          text={keys.revokeText}
          submit={keys.revokeNow}
          errorTitle={keys.revokeFailed}
          act={() => platform.revokeKey({ params: { key: apiKey.id }, body: { name: apiKey.name } })}
          onDone={() => showRevoked(apiKey.name)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}
