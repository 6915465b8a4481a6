import { useQuery } from '@tanstack/react-query'
import { requestOutcomes } from '../../../../src/platform/contract/request-outcomes.ts'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { keysQuery } from '../keys/keys-query.ts'
import type { RequestFilter } from './request-filter.ts'

type RequestsFilterProps = { filter: RequestFilter; models: readonly string[]; onFilter(filter: RequestFilter): void }

export const RequestsFilter = ({ filter, models, onFilter }: RequestsFilterProps) => {
  const { requests, shell } = useWords()
  const { data } = useQuery(keysQuery)
  const keys = data?.data ?? []
  return (
    <div className="requests-filter">
      <SelectField
        label={shell.key}
        value={filter.key}
        options={[
          { value: '', text: requests.allKeys },
          { value: 'playground', text: shell.playground },
          ...keys.map(({ id, name, lastFour }) => ({ value: id, text: `${name} …${lastFour}` })),
        ]}
        onChoose={(key) => onFilter({ ...filter, key })}
      />
      <SelectField
        label={shell.model}
        value={filter.model}
        options={[{ value: '', text: requests.allModels }, ...models.map((model) => ({ value: model, text: model }))]}
        onChoose={(model) => onFilter({ ...filter, model })}
      />
      <SelectField
        label={requests.outcome}
        value={filter.outcome}
        options={[
          { value: '' as const, text: requests.allOutcomes },
          ...requestOutcomes.map((outcome) => ({ value: outcome, text: requests.outcomes[outcome] })),
        ]}
        onChoose={(outcome) => onFilter({ ...filter, outcome })}
      />
    </div>
  )
}
