import { useEffect, useRef, useState } from 'react'

const settledMs = 300

/**
 * The text of a field whose value belongs in the address. What is typed shows at once and is written to the address when
 * the typing pauses. If the address changes by itself, as by going back, the field follows it.
 */
export const useTypedText = (value: string, onSettled: (text: string) => void): [string, (text: string) => void] => {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  /** Written to the address, but not seen there yet: more may have been typed since. */
  const pending = useRef<string[]>([])
  if (seen !== value) {
    setSeen(value)
    const place = pending.current.indexOf(value)
    pending.current = pending.current.slice(place + 1)
    if (place === -1) setTyped(value)
  }
  useEffect(() => {
    if (typed === (pending.current.at(-1) ?? value)) return
    const timer = setTimeout(() => {
      pending.current = [...pending.current, typed]
      onSettled(typed)
    }, settledMs)
    return () => clearTimeout(timer)
  })
  return [typed, setTyped]
}
