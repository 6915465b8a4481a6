import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LimitedOrganisation } from '../../../platform/types.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useWords } from '../../words-context.tsx'
import { limitsQuery } from './limits-query.ts'
import { LimitsTable } from './limits-table.tsx'
import { SetLimits } from './set-limits.tsx'

/** Every organisation of the server: its limits, its usage, and a button to change the limits. */
export const OrganisationLimits = () => {
  const { admin, shell } = useWords()
  const { data, error, refetch } = useQuery(limitsQuery)
  const [chosen, setChosen] = useState<LimitedOrganisation | null>(null)
  return (
    <Section title={shell.limits} text={admin.limitsLede}>
      {data !== undefined ? (
        <>
          <LimitsTable organisations={data.data} onLimits={setChosen} />
          <SetLimits organisation={chosen} onClose={() => setChosen(null)} />
        </>
      ) : error === null ? (
        <Skeleton lines={2} />
      ) : (
        <ErrorNotice error={error} title={admin.organisationsNotLoaded} onRetry={refetch} />
      )}
    </Section>
  )
}
