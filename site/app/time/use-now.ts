import { useEffect, useState } from 'react'

const minuteMs = 60_000

/** The time to the minute, for texts such as "in six days". */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
