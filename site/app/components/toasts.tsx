import { Check } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { useWords } from '../words-context.tsx'

/** Undoes something. Once it no longer applies, its line disappears. */
export type Undo = { run(): void; applies(): boolean; subscribe(listener: () => void): () => void }
type Toast = { id: number; text: string; undo: Undo | undefined }
type ShowToast = (text: string, undo?: Undo) => void

const ToastContext = createContext<ShowToast>(() => {})

/** Says in a line that something was done, and lets it be undone. Never for errors that need an action. */
export const useToast = (): ShowToast => useContext(ToastContext)

const stayMs = 5000
/** Long enough to notice a mistake. */
const undoableMs = 12_000

export const Toasts = ({ children }: { children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const nextId = useRef(0)
  const add = useCallback<ShowToast>((text, undo) => {
    nextId.current += 1
    const toast = { id: nextId.current, text, undo }
    setToasts((others) => [...others.slice(-2), toast])
  }, [])
  const remove = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), [])
  return (
    <ToastContext value={add}>
      {children}
      <div className="toasts" role="status">
        {toasts.map((toast) => (
          <ToastLine key={toast.id} toast={toast} onOver={remove} />
        ))}
      </div>
    </ToastContext>
  )
}

const ToastLine = ({ toast, onOver }: { toast: Toast; onOver(id: number): void }) => {
  const { shell } = useWords()
  const [isHeld, setHeld] = useState(false)
  const { undo } = toast
  useEffect(() => {
    if (undo === undefined) return
    return undo.subscribe(() => {
      if (!undo.applies()) onOver(toast.id)
    })
  }, [undo, toast.id, onOver])
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => onOver(toast.id), toast.undo === undefined ? stayMs : undoableMs)
    return () => clearTimeout(timer)
  }, [isHeld, toast.id, toast.undo, onOver])
  return (
    <div className="toast" onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <Check size={16} strokeWidth={1.5} aria-hidden />
      {toast.text}
      {toast.undo === undefined ? null : (
        <button
          type="button"
          className="undo"
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
          onClick={() => {
            if (toast.undo?.applies() === true) toast.undo.run()
            onOver(toast.id)
          }}
        >
          {shell.undo}
        </button>
      )}
    </div>
  )
}
