import { type ReactNode, useId } from 'react'

export type FieldFrameProps = {
  label: ReactNode
  /** Under the field. */
  help?: ReactNode
  /** What is wrong and what to do; replaces the help. */
  error?: string | null | undefined
  /** At the end of the label's line, such as a way back to the default. */
  beside?: ReactNode
}

type Described = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }

/** Label above, help or error below. */
export const FieldFrame = (props: FieldFrameProps & { children(described: Described): ReactNode }) => {
  const { label, help, error, beside, children } = props
  const id = useId()
  const said = error ?? help
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
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': said ? `${id}-said` : undefined,
      })}
      {said ? (
        <p id={`${id}-said`} className={error ? 'error-text' : 'help'} role={error ? 'alert' : undefined}>
          {said}
        </p>
      ) : null}
    </div>
  )
}
