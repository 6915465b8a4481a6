import type { Ref, TextareaHTMLAttributes } from 'react'
import { FieldFrame, type FieldFrameProps } from './field-frame.tsx'

type TextAreaFieldProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'> &
  FieldFrameProps & { ref?: Ref<HTMLTextAreaElement> }

/** A field of several lines that grows with its text. */
export const TextAreaField = ({ label, help, error, beside, className = '', ...rest }: TextAreaFieldProps) => (
  <FieldFrame label={label} help={help} error={error} beside={beside}>
    {(described) => <textarea rows={2} {...rest} {...described} className={`input auto-height ${className}`} />}
  </FieldFrame>
)
