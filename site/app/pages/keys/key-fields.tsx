import { Field } from '../../components/field.tsx'
import { useWords } from '../../words-context.tsx'
import { ExpiryFields } from './expiry-fields.tsx'
import type { KeyForm } from './use-key-form.ts'

/** What every key has: a name and an expiry. */
export const KeyFields = ({ form, isNew }: { form: KeyForm; isNew: boolean }) => {
  const { keys, shell } = useWords()
  return (
    <>
      <Field
        ref={form.nameRef}
        label={shell.name}
        help={isNew ? keys.createText : undefined}
        error={form.wrongName}
        value={form.name}
        required
        autoFocus
        autoComplete="off"
        onChange={(event) => form.setName(event.target.value)}
      />
      <ExpiryFields
        expiry={form.expiry}
        mayKeep={!isNew}
        isWrong={form.isDateWrong}
        dateRef={form.dateRef}
        onChange={form.setExpiry}
      />
    </>
  )
}
