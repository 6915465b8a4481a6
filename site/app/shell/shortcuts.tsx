import { Fragment, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useWords } from '../words-context.tsx'
import { isTyping } from './is-typing.ts'

/** The list of shortcuts, which a question mark opens anywhere but in a field. */
export const Shortcuts = () => {
  const { shell } = useWords()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      // Not over another dialog, which may be waiting for an answer.
      if (document.querySelector('dialog[open]') === null) setOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const close = (): void => setOpen(false)
  return createPortal(
    <Dialog isOpen={isOpen} title={shell.shortcuts} onClose={close}>
      <dl className="facts">
        {shell.shortcutList.map(([keys, text]) => (
          <Fragment key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="actions">
        <Button onClick={close}>{shell.close}</Button>
      </div>
    </Dialog>,
    document.body,
  )
}
