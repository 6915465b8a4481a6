import { useState } from 'react'

/** True from the first time that it is: what has been shown is not taken away while something else is loaded. */
export const useReached = (isNow: boolean): boolean => {
  const [isReached, setReached] = useState(isNow)
  if (isNow && !isReached) setReached(true)
  return isNow || isReached
}
