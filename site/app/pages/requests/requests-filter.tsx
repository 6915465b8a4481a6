import { useQuery } from '@tanstack/react-query'
import { requestEndpoints, requestOutcomes } from '../../../../src/platform/contract/request-kinds.ts'
import { useTypedText } from '../../address/use-typed-text.ts'
import { usePlatform } from '../../app-state.ts'
import { DateField } from '../../components/date-field.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { keysQuery } from '../keys/keys-query.ts'
import { endpointText } from './endpoint-text.ts'
import type { RequestFilter } from './request-filter.ts'

type RequestsFilterProps = {
  filter: RequestFilter
  models: readonly string[]
  onFilter(part: Partial<RequestFilter>, options?: { replaces?: boolean }): void
}

export const RequestsFilter = ({ filter, models, onFilter }: RequestsFilterProps) => {
  const { requests, shell } = useWords()
  const { data } = useQuery(keysQuery(usePlatform()))
  const keys = data?.data ?? []
  const [typed, setTyped] = useTypedText(filter.q, (q) => onFilter({ q }, { replaces: true }))
  return (
    <div className="requests-filter">
      <Field
        label={requests.search}
        type="search"
        placeholder={requests.searchHelp}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <SelectField
        label={shell.key}
        value={filter.key}
        options={[
          { value: '', text: requests.allKeys },
          { value: 'playground', text: shell.playground },
          ...keys.map(({ id, name, lastFour }) => ({ value: id, text: `${name} …${lastFour}` })),
        ]}
        onChoose={(key) => onFilter({ key })}
      />
      <SelectField
        label={shell.model}
        value={filter.model}
        options={[{ value: '', text: requests.allModels }, ...models.map((model) => ({ value: model, text: model }))]}
        onChoose={(model) => onFilter({ model })}
      />
      <SelectField
        label={requests.endpoint}
        value={filter.endpoint}
        options={[
          { value: '' as const, text: requests.allEndpoints },
          ...requestEndpoints.map((value) => ({ value, text: endpointText(value, shell.playground) })),
        ]}
        onChoose={(endpoint) => onFilter({ endpoint })}
      />
      <SelectField
        label={requests.outcome}
        value={filter.outcome}
        options={[
          { value: '' as const, text: requests.allOutcomes },
          ...requestOutcomes.map((outcome) => ({ value: outcome, text: requests.outcomes[outcome] })),
        ]}
        onChoose={(outcome) => onFilter({ outcome })}
      />
      <DateField label={requests.from} max={filter.until} value={filter.from} onChoose={(from) => onFilter({ from })} />
      <DateField
        label={requests.until}
        min={filter.from}
        value={filter.until}
        onChoose={(until) => onFilter({ until })}
      />
    </div>
  )
}
