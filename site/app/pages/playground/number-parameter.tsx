import { Field } from '../../components/field.tsx'
import { useWords } from '../../words-context.tsx'
import { checkSettings } from './check-settings.ts'
import { fieldErrorText } from './field-error-text.ts'
import type { PlaygroundStore } from './playground-store.ts'
import { ResetLink } from './reset-link.tsx'
import type { FieldName } from './settings.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

/** A whole number; its default stands in the empty field. */
export const NumberParameter = ({ name, empty }: { name: 'max_completion_tokens' | 'seed'; empty: string }) => {
  const { playground } = useWords()
  const { settings, errors } = usePlayground()
  const { store } = usePlaygroundParts()
  return (
    <Field
      label={playground.fields[name]}
      beside={<ResetLink name={name} />}
      inputMode="numeric"
      autoComplete="off"
      className="tabular"
      placeholder={empty}
      value={settings[name]}
      error={fieldErrorText(errors[name], playground)}
      onChange={(event) => store.changeSettings({ [name]: event.target.value })}
      onBlur={() => checkField(store, name)}
    />
  )
}

/** On leaving a field: says what is wrong with this one only. */
export const checkField = (store: PlaygroundStore, name: FieldName): void => {
  const { settings, errors } = store.read()
  const error = checkSettings(settings).errors[name]
  if (error !== undefined) store.change({ errors: { ...errors, [name]: error } })
}
