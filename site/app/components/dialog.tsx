import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useReducer, useRef, useState } from 'react'

type DialogProps = {
  isOpen: boolean
  /** A question. */
  title: ReactNode
  /** Called on Escape or a click outside. The caller decides: the dialog stays open while `isOpen` is true. */
  onClose(): void
  /** For code and other things that need room. */
  wide?: boolean
  /** The consequence in one line, fields, and `<div className="actions">` with the safe button first. */
  children: ReactNode
}

/** The browser's own dialog: it traps the focus and gives it back. */
export const Dialog = ({ isOpen, title, onClose, wide, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The content is rendered once the dialog is open, because nothing in a closed one can take the focus.
  const [isShown, setShown] = useState(false)
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  // After every render: browsers close a dialog at a second Escape whatever the page says, and then it has to open again.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    if (isOpen && !dialog.open) dialog.showModal()
    if (!isOpen && dialog.open) dialog.close()
    setShown(isOpen)
  })
  const onEscape = (event: SyntheticEvent): void => {
    event.preventDefault()
    onClose()
  }
  const onClosed = (): void => {
    if (!isOpen) return
    onClose()
    drawAgain()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same by keys
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={onEscape}
      onClose={onClosed}
      onClick={(event) => event.target === ref.current && isBeside(event, ref.current) && onClose()}
    >
      {isOpen && isShown ? (
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
