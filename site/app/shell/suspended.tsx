import { PageHead } from '../components/page-head.tsx'
import { useSession } from '../session.ts'
import { usePageTitle } from '../use-page-title.ts'
import { useWords } from '../words-context.tsx'
import { OrganisationSwitch } from './organisation-switch.tsx'

/** In place of every page: nothing can be done until the server's owner resumes the account. */
export const SuspendedAccount = () => {
  const { team, shell } = useWords()
  usePageTitle(team.accountSuspended)
  return (
    <div className="page" role="alert">
      <PageHead title={team.accountSuspended} lede={team.accountSuspendedLede} />
      <p className="secondary">{team.accountSuspendedText}</p>
      <a className="button" href="/signin">
        {shell.signIn}
      </a>
    </div>
  )
}

/** In place of the pages that are about the organisation. */
export const SuspendedOrganisation = () => {
  const { team } = useWords()
  const { organisation } = useSession()
  usePageTitle(organisation.name)
  return (
    <div className="page" role="alert">
      <PageHead title={organisation.name} lede={team.organisationSuspendedLede} />
      <p className="secondary">{team.organisationSuspendedText}</p>
      <OrganisationSwitch />
    </div>
  )
}
