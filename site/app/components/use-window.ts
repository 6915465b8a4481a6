import { type RefObject, useEffect, useState } from 'react'

/** Shorter lists are drawn as a whole. */
const wholeUpTo = 200
/** Beyond what is visible, so that scrolling shows no gaps. */
const margin = 30

type Window = { first: number; end: number; above: number; below: number }

/**
 * Which rows of a long list to draw: those in view, and some more. `above` and `below` are the heights, in pixels, of what
 * is left out. Rows may differ in height: their average is measured from those that are drawn.
 */
export const useWindow = (body: RefObject<HTMLElement | null>, count: number): Window | null => {
  const [range, setRange] = useState({ first: 0, end: wholeUpTo, height: 60 })
  const isLong = count > wholeUpTo
  useEffect(() => {
    if (!isLong) return
    const measure = (): void => {
      const rows = body.current
      if (rows === null) return
      const drawn = rows.querySelectorAll<HTMLElement>('tr:not(.left-out)')
      const [firstRow, lastRow] = [drawn[0], drawn[drawn.length - 1]]
      if (firstRow === undefined || lastRow === undefined) return
      const span = lastRow.getBoundingClientRect().bottom - firstRow.getBoundingClientRect().top
      const height = Math.max(1, span / drawn.length)
      const passed = -rows.getBoundingClientRect().top / height
      const first = Math.max(0, Math.min(count - 1, Math.floor(passed)) - margin)
      const end = Math.min(count, Math.ceil(passed + innerHeight / height) + margin)
      setRange((last) => {
        const isEnough = first >= last.first - margin / 2 && end <= last.end + margin / 2
        // It is drawn again only once a part of the margin is used up.
        const isNear = Math.abs(first - last.first) < margin / 2 && Math.abs(end - last.end) < margin / 2
        return isEnough && isNear ? last : { first, end: Math.max(end, first + 1), height }
      })
    }
    measure()
    // The page scrolls, or one of the parts around the table: either is heard here.
    document.addEventListener('scroll', measure, { capture: true, passive: true })
    addEventListener('resize', measure)
    return () => {
      document.removeEventListener('scroll', measure, { capture: true })
      removeEventListener('resize', measure)
    }
  }, [body, count, isLong])
  if (!isLong) return null
  const first = Math.min(range.first, count - 1)
  const end = Math.min(range.end, count)
  return { first, end, above: first * range.height, below: (count - end) * range.height }
}
