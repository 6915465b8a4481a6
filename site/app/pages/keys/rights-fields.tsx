import { useId } from 'react'
import type { Scope } from '../../../platform/types.ts'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { type KeyDraft, usualScopes } from './key-draft.ts'

type RightsFieldsProps = {
  draft: KeyDraft
  /** Whether a management key is among the choices. */
  mayManage: boolean
  wrong: string | undefined
  onChange(change: Partial<KeyDraft>): void
}

/** What a key may do: all calls, some of them, or managing keys. */
export const RightsFields = ({ draft, mayManage, wrong, onChange }: RightsFieldsProps) => {
  const { keys } = useWords()
  const id = useId()
  const options: { value: KeyDraft['rights']; text: string }[] = [
    { value: 'all', text: keys.rightsAll },
    { value: 'some', text: keys.rightsSome },
    ...(mayManage ? [{ value: 'manage' as const, text: keys.rightsManage }] : []),
  ]
  const names = new Map<Scope, string>([
    ['chat', keys.someChat],
    ['models', keys.someModels],
    ['completions.read', keys.someRead],
    ['completions.write', keys.someWrite],
  ])
  const toggle = (scope: Scope, isOn: boolean): void =>
    onChange({ scopes: usualScopes.filter((each) => (each === scope ? isOn : draft.scopes.includes(each))) })
  return (
    <>
      <SelectField<KeyDraft['rights']>
        label={keys.rights}
        help={draft.rights === 'manage' ? keys.rightsManageHelp : undefined}
        value={draft.rights}
        options={options}
        onChoose={(rights) => onChange({ rights })}
      />
      {draft.rights === 'some' ? (
        <fieldset className="checkboxes" aria-describedby={wrong === undefined ? undefined : id}>
          <legend className="visually-hidden">{keys.rights}</legend>
          {usualScopes.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={draft.scopes.includes(scope)}
                onChange={(event) => toggle(scope, event.target.checked)}
              />
              {names.get(scope)}
            </label>
          ))}
          {wrong === undefined ? null : (
            <p id={id} className="error-text" role="alert">
              {wrong}
            </p>
          )}
        </fieldset>
      ) : null}
    </>
  )
}
