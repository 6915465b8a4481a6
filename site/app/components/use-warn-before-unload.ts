import { useEffect } from 'react'

/** The browser asks before the page is left, as long as something on it would be lost. */
export const useWarnBeforeUnload = (isNeeded: boolean): void => {
  useEffect(() => {
    if (!isNeeded) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isNeeded])
}
