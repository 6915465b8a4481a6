import type { ShownSetting } from '../../../../src/platform/contract/server.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { originText } from './setting-origin-text.tsx'

export type SettingFieldProps = {
  setting: ShownSetting
  label: string
  help?: string | undefined
  text: string
  error: string | null
  /** For a choice; absent: a text or a figure. */
  options?: readonly { value: string; text: string }[]
  placeholder?: string | undefined
  onType(text: string): void
  /** Gives up the saved value at once. */
  onReset(): void
}

/** One setting: its value, where it comes from, and a way back to what it was. */
export const SettingField = (props: SettingFieldProps) => {
  const { setting, label, help, text, error, options, placeholder, onType, onReset } = props
  const { language } = useLocale()
  const words = useWords()
  const { server } = words
  const origin = originText(setting, words)
  const ignored = setting.ignoredBecause === null ? [] : [server.ignored(setting.ignoredBecause)]
  const said = [...(help === undefined ? [] : [help]), origin, ...ignored].join(language.sentenceSeparator)
  const canReset = setting.source === 'console' || setting.ignoredBecause !== null
  const beside = canReset ? (
    <button type="button" className="link small" aria-label={server.resetOf(label)} onClick={onReset}>
      {server.reset}
    </button>
  ) : undefined
  if (options !== undefined)
    return (
      <div className="setting-field">
        <SelectField
          label={label}
          help={error ?? said}
          disabled={setting.isFixed}
          value={text}
          options={options}
          onChoose={onType}
        />
        {beside}
      </div>
    )
  return (
    <Field
      label={label}
      help={said}
      error={error}
      beside={beside}
      disabled={setting.isFixed}
      placeholder={placeholder}
      {...(setting.isSecret ? { type: 'password', autoComplete: 'off' } : { autoComplete: 'off', spellCheck: false })}
      value={text}
      onChange={(event) => onType(event.target.value)}
    />
  )
}
