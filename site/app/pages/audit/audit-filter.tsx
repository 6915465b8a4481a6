import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { type AuditFilters, noFilters } from './audit-query.ts'

type AuditFilterProps = { filters: AuditFilters; mayOwn: boolean; onChange(filters: AuditFilters): void }

export const AuditFilter = ({ filters, mayOwn, onChange }: AuditFilterProps) => {
  const { audit } = useWords()
  const { account } = useSession()
  const set = (change: Partial<AuditFilters>): void => onChange({ ...filters, ...change })
  const kinds = [
    { value: '', text: audit.everything },
    ...Object.entries(audit.kinds).map(([value, text]) => ({ value, text })),
  ]
  const isEmpty = Object.entries({ ...filters, isWhole: false }).every(([, value]) => !value)
  return (
    <div className="audit-filter">
      {account.isOwner && mayOwn ? (
        <SelectField
          label={audit.scope}
          value={filters.isWhole ? 'whole' : 'own'}
          options={[
            { value: 'own', text: audit.own },
            { value: 'whole', text: audit.whole },
          ]}
          onChoose={(scope) => set({ isWhole: scope === 'whole' })}
        />
      ) : null}
      <SelectField label={audit.what} value={filters.action} options={kinds} onChoose={(action) => set({ action })} />
      {(['actor', 'target'] as const).map((name) => (
        <Field
          key={name}
          label={name === 'actor' ? audit.who : audit.toWhat}
          type="search"
          placeholder={audit.whoHelp}
          autoComplete="off"
          spellCheck={false}
          value={filters[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      ))}
      <Field
        label={audit.from}
        type="date"
        max={filters.until}
        value={filters.from}
        onChange={(event) => set({ from: event.target.value })}
      />
      <Field
        label={audit.until}
        type="date"
        min={filters.from}
        value={filters.until}
        onChange={(event) => set({ until: event.target.value })}
      />
      {isEmpty ? null : (
        <button type="button" className="link" onClick={() => onChange({ ...noFilters, isWhole: filters.isWhole })}>
          {audit.clear}
        </button>
      )}
    </div>
  )
}
