import { type ReactNode, Suspense, useState } from 'react'

/**
 * A dialog whose script is loaded when it opens for the first time. It stays from then on, so that closing it gives the
 * focus back.
 */
export const LazyDialog = ({ isOpen, children }: { isOpen: boolean; children: ReactNode }) => {
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  return wasOpened ? <Suspense fallback={null}>{children}</Suspense> : null
}
