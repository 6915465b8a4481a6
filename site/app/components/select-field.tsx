import type { ReactNode, SelectHTMLAttributes } from 'react'
import { FieldFrame } from './field-frame.tsx'

type SelectFieldProps<Value extends string> = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'> & {
  label: ReactNode
  help?: ReactNode
  value: Value
  options: readonly { value: Value; text: string }[]
  onChoose(value: Value): void
}

/** A choice out of a few, with the browser's own list. */
export const SelectField = <Value extends string>(props: SelectFieldProps<Value>) => {
  const { label, help, value, options, onChoose, ...rest } = props
  const choose = (text: string): void => {
    const found = options.find((option) => option.value === text)
    if (found !== undefined) onChoose(found.value)
  }
  return (
    <FieldFrame label={label} help={help}>
      {(described) => (
        <select
          {...rest}
          {...described}
          className="input"
          value={value}
          onChange={(event) => choose(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
