import { requestEndpoints } from '../../../../src/platform/contract/request-kinds.ts'
import type { UsageLine } from '../../../../src/platform/contract/usage.ts'
import type { UsageSeries } from '../../../../src/platform/contract/usage-groups.ts'
import { useWords } from '../../words-context.tsx'
import { EndpointName } from '../requests/endpoint-name.tsx'

type SeriesNameProps = { series: NonNullable<UsageLine['series']>; by: UsageSeries }

export const SeriesName = ({ series: { id, name, lastFour }, by }: SeriesNameProps) => {
  const { usage, shell, requests } = useWords()
  if (id === 'others') return usage.others
  if (by === 'status') return isOutcome(id, requests.outcomes) ? requests.outcomes[id] : id
  if (by === 'endpoint') {
    const endpoint = requestEndpoints.find((each) => each === id)
    return endpoint === undefined ? id : <EndpointName endpoint={endpoint} />
  }
  if (by === 'model') return <code translate="no">{id}</code>
  if (id === 'playground') return shell.playground
  if (by === 'person') return <span translate="no">{name ?? usage.unknownPerson}</span>
  return (
    <>
      {name ?? usage.goneKey}{' '}
      <span className="muted mono nowrap" translate="no">
        …{lastFour ?? id.slice(-4)}
      </span>
    </>
  )
}

const isOutcome = <Outcomes extends object>(id: string, outcomes: Outcomes): id is Extract<keyof Outcomes, string> =>
  Object.hasOwn(outcomes, id)
