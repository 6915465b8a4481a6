import { type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'

type TextAreaFieldProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'> & {
  label: ReactNode
  help?: ReactNode
  error?: string | null | undefined
  /** Beside the label, such as a way back to the default. */
  beside?: ReactNode
  ref?: Ref<HTMLTextAreaElement>
}

/** A field of several lines that grows with its text. */
export const TextAreaField = ({ label, help, error, beside, className = '', ...rest }: TextAreaFieldProps) => {
  const id = useId()
  const said = error ?? help
  return (
    <div className="field">
      <div className="label-line">
        <label className="label" htmlFor={id}>
          {label}
        </label>
        {beside}
      </div>
      <textarea
        rows={2}
        {...rest}
        id={id}
        className={`input auto-height ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={said ? `${id}-said` : undefined}
      />
      {said ? (
        <p id={`${id}-said`} className={error ? 'error-text' : 'help'} role={error ? 'alert' : undefined}>
          {said}
        </p>
      ) : null}
    </div>
  )
}
