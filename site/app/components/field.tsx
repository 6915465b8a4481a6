import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { FieldFrame, type FieldFrameProps } from './field-frame.tsx'

export type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> &
  FieldFrameProps & {
    /** Something at the end inside the field. */
    end?: ReactNode
    ref?: Ref<HTMLInputElement>
  }

/** A field of one line. Check on leaving it, not while typing. */
export const Field = ({ label, help, error, beside, end, className = '', ...rest }: FieldProps) => (
  <FieldFrame label={label} help={help} error={error} beside={beside}>
    {(described) => {
      const input = <input {...rest} {...described} className={`input ${className}`} />
      return end === undefined ? (
        input
      ) : (
        <div className="with-end">
          {input}
          {end}
        </div>
      )
    }}
  </FieldFrame>
)
