import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'

export type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> & {
  label: ReactNode
  /** Under the field. */
  help?: ReactNode
  /** What is wrong and what to do; replaces the help. */
  error?: string | null | undefined
  /** At the end of the label's line, such as a way back to the default. */
  beside?: ReactNode
  /** Something at the end inside the field. */
  end?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** Label above, help or error below. Check on leaving the field, not while typing. */
export const Field = ({ label, help, error, beside, end, className = '', ...rest }: FieldProps) => {
  const id = useId()
  const said = error ?? help
  const input = (
    <input
      {...rest}
      id={id}
      className={`input ${className}`}
      aria-invalid={error ? true : undefined}
      aria-describedby={said ? `${id}-said` : undefined}
    />
  )
  return (
    <div className="field">
      {beside === undefined ? (
        <label htmlFor={id}>{label}</label>
      ) : (
        <div className="label-line">
          <label className="label" htmlFor={id}>
            {label}
          </label>
          {beside}
        </div>
      )}
      {end === undefined ? (
        input
      ) : (
        <div className="with-end">
          {input}
          {end}
        </div>
      )}
      {said ? (
        <p id={`${id}-said`} className={error ? 'error-text' : 'help'} role={error ? 'alert' : undefined}>
          {said}
        </p>
      ) : null}
    </div>
  )
}
