import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the end of a growing conversation in view, unless the reader has scrolled away. A new turn is always scrolled to; what is shown
 * where there is none begins at its start.
 */
export const useScrollToEnd = (ref: RefObject<HTMLElement | null>, turns: readonly unknown[], begun: unknown): void => {
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const note = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 48
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [ref])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs because something began
  useLayoutEffect(() => {
    isAtEnd.current = true
  }, [begun])
  useLayoutEffect(() => {
    if (isAtEnd.current) ref.current?.scrollTo({ top: turns.length === 0 ? 0 : ref.current.scrollHeight })
  }, [ref, turns])
}
