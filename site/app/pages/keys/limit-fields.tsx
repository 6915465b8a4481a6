import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { Field } from '../../components/field.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { isCostLimit, limitNameText } from '../limits/limit-words.ts'
import { useLimitFigures } from '../limits/use-limit-figures.ts'
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
  const { currency } = useSession()
  const { isShown } = useLimitFigures()
  const limitLabel = (name: LimitName): string =>
    isCostLimit(name) ? words.limits.inCurrency(limitNameText(name, words), currency) : limitNameText(name, words)
  return (
    <div className="limit-fields">
      {limitNames
        .filter((name) => isShown(name, texts[name] === '' ? null : 0))
        .map((name) => (
          <Field
            key={name}
            label={limitLabel(name)}
            help={help?.(name)}
            error={wrong[name]}
            value={texts[name]}
            inputMode={isCostLimit(name) ? 'decimal' : 'numeric'}
            autoComplete="off"
            onBlur={() => onLeave?.(name)}
            onChange={(event) => onChange({ ...texts, [name]: event.target.value })}
          />
        ))}
    </div>
  )
}
