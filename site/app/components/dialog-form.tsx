import type { FormEvent, ReactNode } from 'react'
import { useWords } from '../words-context.tsx'
import { Button } from './button.tsx'
import { ErrorNotice } from './error-notice.tsx'

type DialogFormProps = {
  /** What the form sends; it is not sent again while it is pending. */
  request: { isPending: boolean; error: unknown }
  onSubmit(): void
  onCancel(): void
  /** What the button says that sends it. */
  submit: string
  /** Cannot be undone. */
  danger?: boolean
  /** False as long as something has to be typed first. */
  isReady?: boolean
  /** What failed, as a sentence. */
  errorTitle?: string | undefined
  /** A field shows the error, or nobody has to see it. */
  hidesError?: boolean
  /** Any field was changed. */
  onChange?(): void
  children: ReactNode
}

/** The content of a dialog that sends something: the fields, what failed, and two buttons with the safe one first. */
export const DialogForm = (props: DialogFormProps) => {
  const { request, onSubmit, onCancel, submit, danger, isReady = true, errorTitle, hidesError } = props
  const { shell } = useWords()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady && !request.isPending) onSubmit()
  }
  return (
    <form className="stack" onSubmit={send} onChange={props.onChange} noValidate>
      {props.children}
      {request.error === null || hidesError ? null : <ErrorNotice error={request.error} title={errorTitle} />}
      <div className="actions">
        <Button onClick={onCancel}>{shell.cancel}</Button>
        <Button type="submit" look={danger ? 'danger' : 'primary'} disabled={!isReady} busy={request.isPending}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
