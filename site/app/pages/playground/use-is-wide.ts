import { useSyncExternalStore } from 'react'

const query = '(min-width: 68.75rem)'

const subscribe = (listener: () => void): (() => void) => {
  const list = matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

/** Whether there is room for a panel beside the page. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
