import { useState } from 'react'
import type { NewKey } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Secret } from '../../components/secret.tsx'
import { UncopiedDialog } from '../../components/uncopied-dialog.tsx'
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
  const tryToClose = (): void => {
    if (newKey === null || isCopied) close()
    else setAsking(true)
  }
  return (
    <>
      <Dialog
        isOpen={isOpen}
        title={newKey === null ? keys.createTitle : keys.createdTitle(newKey.name)}
        onClose={tryToClose}
      >
        {newKey === null ? (
          <CreateKeyForm onCreated={setNewKey} onClose={close} />
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
      <UncopiedDialog isOpen={isAsking} secret={newKey?.key ?? ''} onStay={() => setAsking(false)} onLeave={close} />
    </>
  )
}
