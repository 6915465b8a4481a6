import { type ReactNode, useEffect, useId, useRef } from 'react'

type DialogProps = {
  isOpen: boolean
  /** A question. */
  title: ReactNode
  /** Escape, or a click beside it. */
  onClose(): void
  /** For code and other things that need room. */
  wide?: boolean
  /** The consequence in one line, fields, and `<div className="acts">` with the safe button first. */
  children: ReactNode
}

/** The browser's own dialog: it traps the focus and gives it back. */
export const Dialog = ({ isOpen, title, onClose, wide, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (dialog === null || dialog.open === isOpen) return
    if (isOpen) dialog.showModal()
    else dialog.close()
  }, [isOpen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same by keys
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && isBeside(event, ref.current) && onClose()}
    >
      {isOpen ? (
        <>
          <h2 id={id}>{title}</h2>
          {children}
        </>
      ) : null}
    </dialog>
  )
}

/** Padding belongs to the dialog, the backdrop does not. */
const isBeside = ({ clientX, clientY }: { clientX: number; clientY: number }, dialog: HTMLDialogElement): boolean => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
