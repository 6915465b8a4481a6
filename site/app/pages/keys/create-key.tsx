import { useState } from 'react'
import type { NewKey } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Secret } from '../../components/secret.tsx'
import { UncopiedQuestion } from '../../components/uncopied-question.tsx'
import { useWarnBeforeUnload } from '../../components/use-warn-before-unload.ts'
import { useWords } from '../../words-context.tsx'
import { CreateKeyForm } from './create-key-form.tsx'

/** A name and an expiry, then the key itself: it stays until it was copied, or given up on purpose. */
export const CreateKey = ({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) => {
  const { keys } = useWords()
  const [newKey, setNewKey] = useState<NewKey | null>(null)
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useWarnBeforeUnload(newKey !== null && !isCopied)
  const close = (): void => {
    setAsking(false)
    setNewKey(null)
    setCopied(false)
    onClose()
  }
  const stay = (): void => setAsking(false)
  /** Escape over the question goes back to the key; over the key it asks, unless it was copied. */
  const tryToClose = (): void => {
    if (newKey === null || isCopied) close()
    else setAsking(!isAsking)
  }
  if (newKey === null) {
    return (
      <Dialog isOpen={isOpen} title={keys.createTitle} onClose={close}>
        <CreateKeyForm onCreated={setNewKey} onClose={close} />
      </Dialog>
    )
  }
  const title = isAsking ? keys.uncopiedTitle : keys.createdTitle(newKey.name)
  return (
    <Dialog isOpen={isOpen} title={title} onClose={tryToClose}>
      {isAsking ? (
        <UncopiedQuestion secret={newKey.key} onStay={stay} onLeave={close} />
      ) : (
        <>
          <p>{keys.createdText}</p>
          <Secret newKey={newKey} onCopied={() => setCopied(true)} />
          <div className="acts">
            <Button onClick={tryToClose}>{keys.done}</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
