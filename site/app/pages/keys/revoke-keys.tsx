import { useQueryClient } from '@tanstack/react-query'
import type { Key } from '../../../platform/types.ts'
import { useDialog } from '../../address/use-dialog.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toasts.tsx'
import { TypedConfirmation } from '../../components/typed-confirmation.tsx'
import { useWords } from '../../words-context.tsx'

type RevokeKeysProps = {
  keys: readonly Key[]
  /** Chooses all keys of the page: on phones, where the table has no head. */
  onAll(): void
  onCleared(): void
}

/** How many keys are chosen, and what can be done with all of them. The number has to be typed. */
export const RevokeKeys = ({ keys: chosen, onAll, onCleared }: RevokeKeysProps) => {
  const platform = usePlatform()
  const { keys, shell } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const question = useDialog('revoke-chosen')
  const count = chosen.length
  /** One after the other: what failed stays chosen, so that it can be tried again. */
  const revokeAll = async (): Promise<void> => {
    try {
      for (const { id, name } of chosen) await platform.revokeKey({ params: { key: id }, body: { name } })
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
    }
  }
  const showRevoked = async (): Promise<void> => {
    question.close()
    toast(keys.revokedMany(count))
    onCleared()
  }
  return (
    <div className={count === 0 ? 'chosen-keys' : 'chosen-keys some'}>
      <span role="status">{count === 0 ? <span className="muted">{keys.chooseHint}</span> : keys.chosen(count)}</span>
      {count === 0 ? null : (
        <>
          <Button onClick={() => question.open()}>{keys.revokeChosen}</Button>
          <button type="button" className="link" onClick={onCleared}>
            {shell.clearChoice}
          </button>
        </>
      )}
      <button type="button" className="link choose-all" onClick={onAll}>
        {keys.chooseAll}
      </button>
      <Dialog isOpen={question.isOpen && count > 0} title={keys.revokeManyTitle(count)} onClose={question.close}>
        <ul className="chosen-names">
          {chosen.map(({ id, name, lastFour }) => (
            <li key={id}>
              {name} <span className="muted mono">…{lastFour}</span>
            </li>
          ))}
        </ul>
        <TypedConfirmation
          name={String(count)}
          text={keys.revokeManyText}
          submit={keys.revokeMany(count)}
          errorTitle={keys.revokeManyFailed}
          act={revokeAll}
          onDone={showRevoked}
          onCancel={question.close}
        />
      </Dialog>
    </div>
  )
}
