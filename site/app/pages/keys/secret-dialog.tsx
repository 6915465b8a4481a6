import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Secret, type ShownSecret } from '../../components/secret.tsx'
import { UncopiedQuestion } from '../../components/uncopied-question.tsx'
import { useWarnBeforeUnload } from '../../components/use-warn-before-unload.ts'
import { useWords } from '../../words-context.tsx'

type SecretDialogProps<Made extends ShownSecret> = {
  isOpen: boolean
  title: string
  onClose(): void
  /** What asks for the secret; it calls back with it. */
  form(onMade: (made: Made) => void, close: () => void): ReactNode
  /** Over and under the head, once it is there. */
  ready(made: Made): { title: string; text: string; copyText?: string }
  /** Below the secret: what can be done with it. It may copy it, too. */
  more?(made: Made, onCopied: () => void): ReactNode
}

/**
 * A form, then the secret that it returned, which stays until it is copied or deliberately discarded: going back in the
 * browser does not discard it either.
 */
export const SecretDialog = <Made extends ShownSecret>({
  isOpen,
  title,
  onClose,
  form,
  ready,
  more,
}: SecretDialogProps<Made>) => {
  const { keys, shell } = useWords()
  const [newKey, setNewKey] = useState<Made | null>(null)
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
  /** Escape over the question goes back to the secret; over the secret it asks, unless it was copied. */
  const tryToClose = (): void => {
    if (newKey === null || isCopied) close()
    else setAsking(!isAsking)
  }
  if (newKey === null) {
    return (
      <Dialog isOpen={isOpen} title={title} onClose={close}>
        {form(setNewKey, close)}
      </Dialog>
    )
  }
  const said = ready(newKey)
  const noteCopy = (): void => setCopied(true)
  const below = more?.(newKey, noteCopy) ?? null
  return (
    <Dialog
      isOpen
      title={isAsking ? keys.uncopiedTitle : said.title}
      onClose={tryToClose}
      wide={below !== null && !isAsking}
    >
      {isAsking ? (
        <UncopiedQuestion secret={newKey.key} onStay={stay} onLeave={close} />
      ) : (
        <>
          <p>{said.text}</p>
          <Secret newKey={newKey} onCopied={noteCopy} copyText={said.copyText} />
          {below}
          <div className="actions">
            <Button onClick={tryToClose}>{shell.done}</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
