import { useQuery } from '@tanstack/react-query'
import { useDialog } from '../../address/use-dialog.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { limitsQuery } from './limits-query.ts'
import { LimitsTable } from './limits-table.tsx'
import { SetLimits } from './set-limits.tsx'

/** Every organisation of the server: its limits, its usage, and a button to change the limits. */
export const OrganisationLimits = () => {
  const { admin, shell } = useWords()
  const limits = useQuery(limitsQuery(usePlatform()))
  const form = useDialog('limits')
  const chosen = limits.data?.data.find(({ id }) => id === form.subject) ?? null
  return (
    <Section title={shell.limits} text={admin.limitsLede}>
      <Loaded query={limits} errorTitle={admin.organisationsNotLoaded} lines={2}>
        {({ data }) => <LimitsTable organisations={data} onLimits={({ id }) => form.open(id)} />}
      </Loaded>
      <SetLimits organisation={chosen} onClose={form.close} />
    </Section>
  )
}
