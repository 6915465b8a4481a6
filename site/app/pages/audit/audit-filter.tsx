import { useTypedText } from '../../address/use-typed-text.ts'
import { DateField } from '../../components/date-field.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { type AuditFilters, type AuditView, noFilters } from './audit-query.ts'

type AuditFilterProps = {
  filters: AuditFilters
  /** Between what concerns the organisation and everything. */
  hasChoice: boolean
  onChange(part: Partial<AuditView>, options?: { replaces?: boolean }): void
}

export const AuditFilter = ({ filters, hasChoice, onChange }: AuditFilterProps) => {
  const { audit } = useWords()
  const kinds = [
    { value: '', text: audit.everything },
    ...Object.entries(audit.kinds).map(([value, text]) => ({ value, text })),
  ]
  const isEmpty = Object.entries({ ...filters, isWhole: false }).every(([, value]) => !value)
  return (
    <div className="audit-filter">
      {hasChoice ? (
        <SelectField
          label={audit.scope}
          value={filters.isWhole ? 'whole' : 'own'}
          options={[
            { value: 'own', text: audit.own },
            { value: 'whole', text: audit.whole },
          ]}
          onChoose={(scope) => onChange({ scope: scope === 'whole' ? 'whole' : '' })}
        />
      ) : null}
      <SelectField
        label={audit.what}
        value={filters.action}
        options={kinds}
        onChoose={(action) => onChange({ action })}
      />
      {(['actor', 'target'] as const).map((name) => (
        <NameField
          key={name}
          label={name === 'actor' ? audit.who : audit.toWhat}
          value={filters[name]}
          onSettled={(text) => onChange({ [name]: text }, { replaces: true })}
        />
      ))}
      <DateField label={audit.from} max={filters.until} value={filters.from} onChoose={(from) => onChange({ from })} />
      <DateField
        label={audit.until}
        min={filters.from}
        value={filters.until}
        onChoose={(until) => onChange({ until })}
      />
      {isEmpty ? null : (
        <button type="button" className="link" onClick={() => onChange(noFilters)}>
          {audit.clear}
        </button>
      )}
    </div>
  )
}

type NameFieldProps = { label: string; value: string; onSettled(text: string): void }

const NameField = ({ label, value, onSettled }: NameFieldProps) => {
  const { audit } = useWords()
  const [typed, setTyped] = useTypedText(value, onSettled)
  return (
    <Field
      label={label}
      type="search"
      placeholder={audit.whoHelp}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}
