import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../words-context.tsx'
import { Field, type FieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'

/** A password that can be shown. */
export const PasswordField = (props: Omit<FieldProps, 'type' | 'end'>) => {
  const { shell } = useWords()
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  const eye = (
    <IconButton label={isShown ? shell.hidePassword : shell.showPassword} onClick={() => setShown(!isShown)}>
      <Icon size={18} strokeWidth={1.5} />
    </IconButton>
  )
  return <Field autoComplete="current-password" {...props} type={isShown ? 'text' : 'password'} end={eye} />
}
