import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../words-context.tsx'
import { DialogForm } from './dialog-form.tsx'
import { Field } from './field.tsx'

type TypedConfirmationProps = {
  /** What has to be typed, so that nobody means another thing. */
  name: string
  text: string
  submit: string
  errorTitle: string
  act(): Promise<unknown>
  onDone(): Promise<void>
  onCancel(): void
}

/** The content of a dialog before something is lost for good. */
export const TypedConfirmation = (props: TypedConfirmationProps) => {
  const { name, text, submit, errorTitle, act, onDone, onCancel } = props
  const { shell } = useWords()
  const [typed, setTyped] = useState('')
  const request = useMutation({ mutationFn: act, onSuccess: onDone })
  return (
    <DialogForm
      danger
      submit={submit}
      isReady={typed.trim() === name}
      request={request}
      errorTitle={errorTitle}
      onSubmit={request.mutate}
      onCancel={onCancel}
    >
      <p>{text}</p>
      <Field
        label={shell.typeToConfirm(name)}
        value={typed}
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
    </DialogForm>
  )
}
