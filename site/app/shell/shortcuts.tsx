import { Fragment } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useWords } from '../words-context.tsx'

type ShortcutsProps = { isOpen: boolean; onClose(): void }

/** The list of shortcuts. */
export const Shortcuts = ({ isOpen, onClose }: ShortcutsProps) => {
  const { shell } = useWords()
  return createPortal(
    <Dialog isOpen={isOpen} title={shell.shortcuts} onClose={onClose}>
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
        <Button onClick={onClose}>{shell.close}</Button>
      </div>
    </Dialog>,
    document.body,
  )
}
