import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import { LedeText } from '../../components/lede-text.tsx'
import { teamLede } from '../../ledes/team-lede.ts'
import { useMay } from '../../role.ts'
import { useNow } from '../../time/use-now.ts'
import { useWords } from '../../words-context.tsx'
import { invitationState } from './invitation-state.ts'
import { invitationsQuery, type TeamMember } from './team-query.ts'

export const TeamLede = ({ members }: { members: readonly TeamMember[] | undefined }) => {
  const platform = usePlatform()
  const words = useWords()
  const now = useNow()
  const mayInvite = useMay()('manageMembers')
  const { data: invitations = [] } = useQuery({ ...invitationsQuery(platform), enabled: mayInvite })
  if (members === undefined) return <span className="skeleton-line" />
  const open = invitations.filter((invitation) => invitationState(invitation, now) === 'open').length
  return <LedeText parts={teamLede(members.length, open, words)} />
}
