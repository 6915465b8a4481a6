import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** For a list of links that may scroll: the link to the current page is scrolled into sight. */
export const useCurrentInSight = <Element extends HTMLElement>() => {
  const list = useRef<Element>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link follows the address
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    const { top = 0, bottom = 0 } = list.current?.getBoundingClientRect() ?? {}
    const box = current?.getBoundingClientRect()
    if (list.current && box && (box.top < top || box.bottom > bottom))
      list.current.scrollTop += box.top < top ? box.top - top : box.bottom - bottom
  }, [pathname])
  return list
}
