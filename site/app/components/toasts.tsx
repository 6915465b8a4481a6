import { Check } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'

type Toast = { id: number; text: string }

const ToastContext = createContext<(text: string) => void>(() => {})

/** Says in a line that something was done. Never for errors that need an action. */
export const useToast = (): ((text: string) => void) => useContext(ToastContext)

const stayMs = 5000

export const Toasts = ({ children }: { children: ReactNode }) => {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const nextId = useRef(0)
  const add = useCallback((text: string) => {
    nextId.current += 1
    const toast = { id: nextId.current, text }
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
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => onOver(toast.id), stayMs)
    return () => clearTimeout(timer)
  }, [isHeld, toast.id, onOver])
  return (
    <div className="toast" onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <Check size={16} strokeWidth={1.5} aria-hidden />
      {toast.text}
    </div>
  )
}
