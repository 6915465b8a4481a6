import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { platformPost } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import type { NewKey } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { Fault } from '../../components/fault.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { dateValue, type ExpiryChoice, expiryOf } from './expiry.ts'

const mostCharacters = 100

type CreateKeyFormProps = { onCreated(newKey: NewKey): void; onClose(): void }

export const CreateKeyForm = ({ onCreated, onClose }: CreateKeyFormProps) => {
  const { shell, keys } = useWords()
  const queryClient = useQueryClient()
  const nameField = useRef<HTMLInputElement>(null)
  const dateField = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [choice, setChoice] = useState<ExpiryChoice>('never')
  const [date, setDate] = useState('')
  const [wrong, setWrong] = useState<{ name?: string; date?: string }>({})
  const create = useMutation({
    mutationFn: (expiresAt: number | null) => platformPost<NewKey>('/keys', { name: name.trim(), expiresAt }),
    // The secret stays nowhere but in what is shown.
    gcTime: 0,
    onSuccess(newKey) {
      void queryClient.invalidateQueries({ queryKey: ['keys'] })
      onCreated(newKey)
    },
    onError(error) {
      if (isNameRefused(error)) setWrong({ name: keys.nameRefused })
    },
  })
  const wrongName = (): string | null => {
    const length = [...name.trim()].length
    return length === 0 ? keys.nameNeeded : length > mostCharacters ? keys.nameTooLong : null
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (create.isPending) return
    const badName = wrongName()
    const expiresAt = expiryOf(choice, date, Date.now())
    if (badName !== null) {
      setWrong({ name: badName })
      nameField.current?.focus()
    } else if (expiresAt === 'wrong') {
      setWrong({ date: keys.dateNeeded })
      dateField.current?.focus()
    } else {
      setWrong({})
      create.mutate(expiresAt)
    }
  }
  const options: { value: ExpiryChoice; text: string }[] = [
    { value: 'never', text: keys.expiryNever },
    { value: '30', text: keys.expiry30 },
    { value: '90', text: keys.expiry90 },
    { value: 'date', text: keys.expiryDate },
  ]
  return (
    <form className="grid gap-4" onSubmit={submit} noValidate>
      <Field
        ref={nameField}
        label={keys.name}
        help={keys.createText}
        error={wrong.name}
        value={name}
        required
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField<ExpiryChoice> label={keys.expiry} value={choice} options={options} onChoose={setChoice} />
      {choice === 'date' ? (
        <Field
          ref={dateField}
          label={keys.date}
          help={keys.dateHelp}
          error={wrong.date}
          type="date"
          required
          min={dateValue(Date.now())}
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
      ) : null}
      {create.isError && !isNameRefused(create.error) ? <Fault error={create.error} title={keys.createFailed} /> : null}
      <div className="acts">
        <Button onClick={onClose}>{shell.cancel}</Button>
        <Button type="submit" look="primary" busy={create.isPending}>
          {keys.create}
        </Button>
      </div>
    </form>
  )
}

const isNameRefused = (error: unknown): boolean => error instanceof PlatformError && error.param === 'name'
