import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { Field } from '../../components/field.tsx'
import { useWords } from '../../words-context.tsx'
import { limitNameText } from '../limits/limit-words.ts'
import { limitNames } from './key-draft.ts'

type LimitFieldsProps = {
  texts: Readonly<Record<LimitName, string>>
  wrong: Partial<Record<LimitName, string>>
  /** Under each field. */
  help?: ((name: LimitName) => string | undefined) | undefined
  /** A field was left. */
  onLeave?: ((name: LimitName) => void) | undefined
  onChange(texts: Record<LimitName, string>): void
}

export const LimitFields = ({ texts, wrong, help, onLeave, onChange }: LimitFieldsProps) => {
  const words = useWords()
  return (
    <div className="limit-fields">
      {limitNames.map((name) => (
        <Field
          key={name}
          label={limitNameText(name, words)}
          help={help?.(name)}
          error={wrong[name]}
          value={texts[name]}
          inputMode="numeric"
          autoComplete="off"
          onBlur={() => onLeave?.(name)}
          onChange={(event) => onChange({ ...texts, [name]: event.target.value })}
        />
      ))}
    </div>
  )
}
