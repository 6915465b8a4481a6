import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'

/**
 * Leaving while `isHeld` asks first: within the site with our own dialog, elsewhere (another address, a closed tab) with
 * the browser's.
 */
export const useLeave = (isHeld: boolean) => {
  const [isAskedForHome, setAskedForHome] = useState(false)
  const isFree = useRef(false)
  const mustAsk = (): boolean => isHeld && !isFree.current
  const blocker = useBlocker({ shouldBlockFn: mustAsk, enableBeforeUnload: mustAsk, withResolver: true })
  const navigate = useNavigate()
  return {
    isAsking: isAskedForHome || blocker.status === 'blocked',
    /** Into the console. */
    goOn: () => navigate({ to: '/keys' }),
    /** To the public front page, which is another document. */
    goHome() {
      if (mustAsk()) setAskedForHome(true)
      else location.assign('/')
    },
    stay() {
      setAskedForHome(false)
      blocker.reset?.()
    },
    leave() {
      isFree.current = true
      if (isAskedForHome) location.assign('/')
      else blocker.proceed?.()
    },
  }
}
