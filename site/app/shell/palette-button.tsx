import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Dialog } from '../components/dialog.tsx'
import { useWords, WithAllWords } from '../words-context.tsx'
import { PaletteField } from './palette-field.tsx'

/** Loaded when it is opened for the first time. */
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))

/** Opens the list of everything by name; Ctrl K, or Command K, does the same anywhere. */
export const PaletteButton = ({ onShortcuts }: { onShortcuts(): void }) => {
  const { shell } = useWords()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const close = (): void => {
    setOpen(false)
    setTyped('')
  }
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      // Not over another dialog, which may be waiting for an answer.
      if (document.querySelector('dialog[open]') === null) setOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button
        type="button"
        className="palette-button"
        aria-label={shell.palette}
        title={shell.palette}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Search size={18} strokeWidth={1.5} aria-hidden />
        <span className="word">{shell.palette}</span>
      </button>
      {/* Outside the rail: on a narrow page, where the rail is hidden, an open dialog in it would block the page unseen. */}
      {createPortal(
        <Dialog isOpen={isOpen} title={shell.palette} onClose={close}>
          <Suspense
            fallback={
              <div className="palette">
                <PaletteField typed={typed} onType={setTyped} />
              </div>
            }
          >
            <WithAllWords>
              <CommandPalette typed={typed} onType={setTyped} onClose={close} onShortcuts={onShortcuts} />
            </WithAllWords>
          </Suspense>
        </Dialog>,
        document.body,
      )}
    </>
  )
}
