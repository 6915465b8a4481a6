import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The width of an element, so that a chart can fill it with text in the normal size. */
export const useWidth = <Part extends Element>(first: number): { ref: RefObject<Part | null>; width: number } => {
  const ref = useRef<Part>(null)
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    const part = ref.current
    if (part === null) return
    const measure = (): void => setWidth(Math.max(1, Math.round(part.getBoundingClientRect().width)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(part)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
