import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogForm } from './dialog-form.tsx'
import { Field } from './field.tsx'

type TypedConfirmationProps = {
  /** What has to be typed, so that nobody means another thing. */
  name: string
  text: string
  label: string
  act(): Promise<unknown>
  onDone(): Promise<void>
  onKeep(): void
  words: { keep: string; now: string; failed: string }
}

/** The content of a dialog before something is lost for good. */
export const TypedConfirmation = ({ name, text, label, act, onDone, onKeep, words }: TypedConfirmationProps) => {
  const [typed, setTyped] = useState('')
  const request = useMutation({ mutationFn: act, onSuccess: onDone })
  return (
    <DialogForm
      danger
      submit={words.now}
      cancel={words.keep}
      isReady={typed.trim() === name}
      request={request}
      errorTitle={words.failed}
      onSubmit={request.mutate}
      onCancel={onKeep}
    >
      <p>{text}</p>
      <Field
        label={label}
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
