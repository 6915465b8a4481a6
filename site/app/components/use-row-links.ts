import { type RefObject, useEffect } from 'react'

/**
 * Makes the whole row of a table open its first link, as a click on the link would: with a modifier key or the
 * middle button in another tab. Text can still be selected, and links and buttons inside a row keep working. The
 * keyboard uses the link.
 */
export const useRowLinks = (body: RefObject<HTMLTableSectionElement | null>, isOn: boolean): void => {
  useEffect(() => {
    const rows = body.current
    if (rows === null || !isOn) return
    const end = new AbortController()
    const { signal } = end
    rows.addEventListener('click', openRow, { signal })
    rows.addEventListener('auxclick', openRowAside, { signal })
    rows.addEventListener('mousedown', keepFromScrolling, { signal })
    return () => end.abort()
  }, [body, isOn])
}

const openRow = (event: MouseEvent): void => {
  const link = findLink(event)
  if (link === null || hasSelection()) return
  if (event.ctrlKey || event.metaKey || event.shiftKey) open(link.href, '_blank', 'noopener')
  else link.click()
}

const middleButton = 1

const openRowAside = (event: MouseEvent): void => {
  const link = event.button === middleButton ? findLink(event) : null
  if (link !== null) open(link.href, '_blank', 'noopener')
}

/** Prevents the middle button from starting to scroll as well. */
const keepFromScrolling = (event: MouseEvent): void => {
  if (event.button === middleButton && findLink(event) !== null) event.preventDefault()
}

/** The link that a click here opens; null where the target reacts to clicks itself. */
const findLink = ({ target }: MouseEvent): HTMLAnchorElement | null => {
  if (!(target instanceof Element) || target.closest('a, button, input, select, label, .choice') !== null) return null
  return target.closest('tr')?.querySelector<HTMLAnchorElement>('td a') ?? null
}

/** Text in the row is being selected. */
const hasSelection = (): boolean => getSelection()?.isCollapsed === false
