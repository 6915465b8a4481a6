import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'

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
  const id = useId()
  const choose = (text: string): void => {
    const found = options.find((option) => option.value === text)
    if (found !== undefined) onChoose(found.value)
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        {...rest}
        id={id}
        className="input"
        value={value}
        aria-describedby={help ? `${id}-help` : undefined}
        onChange={(event) => choose(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {help ? (
        <p id={`${id}-help`} className="help">
          {help}
        </p>
      ) : null}
    </div>
  )
}
