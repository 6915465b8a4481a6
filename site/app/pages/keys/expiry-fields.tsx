import type { Ref } from 'react'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { dateValue, type ExpiryChoice } from './expiry.ts'

export type Expiry = { choice: ExpiryChoice; date: string }

type ExpiryFieldsProps = {
  expiry: Expiry
  /** An existing key may keep its expiry. */
  mayKeep: boolean
  isWrong: boolean
  dateRef: Ref<HTMLInputElement>
  onChange(expiry: Expiry): void
}

export const ExpiryFields = ({ expiry, mayKeep, isWrong, dateRef, onChange }: ExpiryFieldsProps) => {
  const { keys } = useWords()
  const options: { value: ExpiryChoice; text: string }[] = [
    ...(mayKeep ? [{ value: 'keep' as const, text: keys.expiryKeep }] : []),
    { value: 'never', text: keys.expiryNever },
    { value: '30', text: keys.expiry30 },
    { value: '90', text: keys.expiry90 },
    { value: 'date', text: keys.expiryDate },
  ]
  return (
    <>
      <SelectField<ExpiryChoice>
        label={keys.expiry}
        value={expiry.choice}
        options={options}
        onChoose={(choice) => onChange({ ...expiry, choice })}
      />
      {expiry.choice === 'date' ? (
        <Field
          ref={dateRef}
          label={keys.date}
          help={keys.dateHelp}
          error={isWrong ? keys.dateNeeded : null}
          type="date"
          required
          min={dateValue(Date.now())}
          value={expiry.date}
          onChange={(event) => onChange({ ...expiry, date: event.target.value })}
        />
      ) : null}
    </>
  )
}
