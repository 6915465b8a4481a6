import { useEffect, useRef } from 'react'

/** A signal that aborts when the component goes: nobody waits any more for what it has begun. */
export const useEndSignal = (): (() => AbortSignal) => {
  const control = useRef(new AbortController())
  useEffect(() => {
    if (control.current.signal.aborted) control.current = new AbortController()
    return () => control.current.abort()
  }, [])
  return () => control.current.signal
}
