import { lazy, useEffect } from 'react'
import { LazyDialog } from '../components/lazy-dialog.tsx'
import { isTyping } from './is-typing.ts'

/** Loaded when it is opened for the first time. */
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }))

type ShortcutsKeyProps = { isOpen: boolean; onChange(isOpen: boolean): void }

/** A question mark opens the list of shortcuts anywhere but in a field. */
export const ShortcutsKey = ({ isOpen, onChange }: ShortcutsKeyProps) => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      // Not over another dialog, which may be waiting for an answer.
      if (document.querySelector('dialog[open]') === null) onChange(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onChange])
  return (
    <LazyDialog isOpen={isOpen}>
      <Shortcuts isOpen={isOpen} onClose={() => onChange(false)} />
    </LazyDialog>
  )
}
