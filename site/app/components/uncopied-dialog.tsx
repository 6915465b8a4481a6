import { Copy } from 'lucide-react'
import { useWords } from '../words-context.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useCopy } from './use-copy.ts'

type UncopiedDialogProps = {
  isOpen: boolean
  secret: string
  onStay(): void
  /** With the key copied, or without. */
  onLeave(): void
}

/** Asks before a key that nobody copied is gone for good. Escape stays. */
export const UncopiedDialog = ({ isOpen, secret, onStay, onLeave }: UncopiedDialogProps) => {
  const { keys } = useWords()
  const { copy } = useCopy()
  const copyAndLeave = async (): Promise<void> => {
    if (await copy(secret)) onLeave()
    else onStay()
  }
  return (
    <Dialog isOpen={isOpen} title={keys.uncopiedTitle} onClose={onStay}>
      <p>{keys.uncopiedText}</p>
      <div className="acts">
        <Button onClick={onLeave}>{keys.leaveAnyway}</Button>
        <Button look="primary" onClick={copyAndLeave} autoFocus>
          <Copy size={16} strokeWidth={1.5} aria-hidden />
          {keys.copyAndLeave}
        </Button>
      </div>
    </Dialog>
  )
}
