import { type ChangeEvent, useState } from 'react'
import { isDay } from '../address/view-fields.ts'
import { Field } from './field.tsx'

type DateFieldProps = {
  label: string
  value: string
  min?: string
  max?: string
  /** A complete date, or nothing if the field was cleared. */
  onChoose(day: string): void
}

/**
 * A date that takes effect while it is typed. The browser reports the year 2 when 2026 is begun: what is no complete date
 * stays in the field alone, and the field is not written to while somebody types in it.
 */
export const DateField = ({ value, onChoose, ...rest }: DateFieldProps) => {
  const [typed, setTyped] = useState<string | null>(null)
  const [last, setLast] = useState(value)
  // Chosen elsewhere, such as by going back.
  if (value !== last) {
    setLast(value)
    if (value !== typed) setTyped(null)
  }
  const type = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setTyped(target.value)
    const isCleared = target.value === '' && !target.validity.badInput
    if (isCleared || isDay(target.value)) onChoose(target.value)
  }
  return <Field {...rest} type="date" value={typed ?? value} onChange={type} onBlur={() => setTyped(null)} />
}
