import { useQuery } from '@tanstack/react-query'
import { useDialog } from '../../address/use-dialog.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useReached } from '../../components/use-reached.ts'
import { organisationsLede } from '../../ledes/admin-ledes.ts'
import { limitsQuery } from './limits-query.ts'
import { OrganisationDialog } from './organisation-dialog.tsx'
import { OrganisationLimits } from './organisation-limits.tsx'
import { type ListedOrganisation, organisationsQuery } from './organisations-query.ts'
import { OrganisationsTable } from './organisations-table.tsx'

/** For the server's owner: every organisation with its members and keys, and a button to suspend it. */
export const OrganisationsPage = () => {
  const { admin } = useWords()
  return (
    <OwnerPage title={admin.organisations}>
      <Organisations />
    </OwnerPage>
  )
}

const Organisations = () => {
  const { admin } = useWords()
  const platform = usePlatform()
  const organisations = useQuery(organisationsQuery(platform))
  // Asked for at once, and shown below the list.
  const limits = useQuery(limitsQuery(platform))
  const isComplete = useReached(!organisations.isLoading && !limits.isLoading)
  const details = useDialog('organisation')
  const shown = organisations.data?.find(({ id }) => id === details.subject) ?? null
  return (
    <>
      <PageHead title={admin.organisations} lede={<OrganisationsLede organisations={organisations.data} />} />
      <Loaded query={organisations} errorTitle={admin.organisationsNotLoaded} lines={4}>
        {(data) => <OrganisationsTable organisations={data} onLook={({ id }) => details.open(id)} />}
      </Loaded>
      {/* What is above it has its height then. */}
      {isComplete ? <OrganisationLimits /> : null}
      <OrganisationDialog organisation={shown} onClose={details.close} />
    </>
  )
}

const OrganisationsLede = ({ organisations }: { organisations: readonly ListedOrganisation[] | undefined }) => {
  const words = useWords()
  return organisations === undefined ? (
    <span className="skeleton-line" />
  ) : (
    <LedeText parts={organisationsLede(organisations, words)} />
  )
}
