import { Copy } from 'lucide-react'
import { useWords } from '../words-context.tsx'
import { Button } from './button.tsx'
import { useCopy } from './use-copy.ts'

type UncopiedQuestionProps = {
  secret: string
  /** Returns to the key, also when the browser refuses to copy. */
  onStay(): void
  /** With the key copied, or without. */
  onLeave(): void
}

/** The content of the dialog that asks before a key that was not copied is lost. Its title is `keys.uncopiedTitle`. */
export const UncopiedQuestion = ({ secret, onStay, onLeave }: UncopiedQuestionProps) => {
  const { keys } = useWords()
  const { copy } = useCopy()
  const copyAndLeave = async (): Promise<void> => {
    if (await copy(secret)) onLeave()
    else onStay()
  }
  return (
    <>
      <p>{keys.uncopiedText}</p>
      <div className="actions">
        <Button onClick={onLeave}>{keys.leaveAnyway}</Button>
        <Button look="primary" onClick={copyAndLeave} autoFocus>
          <Copy size={16} strokeWidth={1.5} aria-hidden />
          {keys.copyAndLeave}
        </Button>
      </div>
    </>
  )
}
