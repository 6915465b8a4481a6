import { useMutation, useQueryClient } from '@tanstack/react-query'
import { reaches } from '../../../../src/store/decide-member-change.ts'
import { type Role, roles } from '../../../../src/store/team-contract.ts'
import { errorText } from '../../../words/error-text.ts'
import { usePlatform } from '../../app-state.ts'
import { useToast } from '../../components/toasts.tsx'
import { sessionKey, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { membersQuery, type TeamMember } from './team-query.ts'

type RoleChoiceProps = {
  member: TeamMember
  isSelf: boolean
  /** An organisation needs one. */
  isLastOwner: boolean
}

/** The roles that the reader can give a member. If somebody else changed it first, the list shows the current role. */
export const RoleChoice = ({ member, isSelf, isLastOwner }: RoleChoiceProps) => {
  const platform = usePlatform()
  const { team, errors } = useWords()
  const { organisation } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const change = useMutation({
    mutationFn: (role: Role) =>
      platform.changeRole({ params: { account: member.id }, body: { role, was: member.role } }),
    onSuccess: (_, role) => toast(team.roleChanged(member.email, team.roles[role])),
    async onSettled() {
      await queryClient.invalidateQueries({ queryKey: membersQuery(platform).queryKey })
      if (isSelf) await queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const choices = roles.filter((role) => role === member.role || mayMake(organisation.role, isSelf, member.role, role))
  if (choices.length === 1 || isLastOwner) return team.roles[member.role]
  const choose = (text: string): void => {
    const role = choices.find((each) => each === text)
    if (role !== undefined && role !== member.role && !change.isPending) change.mutate(role)
  }
  return (
    <>
      <select
        className="input role"
        aria-label={team.roleOf(member.email)}
        value={change.isPending ? change.variables : member.role}
        onChange={(event) => choose(event.target.value)}
      >
        {choices.map((role) => (
          <option key={role} value={role}>
            {team.roles[role]}
          </option>
        ))}
      </select>
      {change.isError ? (
        <p className="error-text" role="alert">
          {team.roleNotChanged} {errorText(change.error, errors)}
        </p>
      ) : null}
    </>
  )
}

/** The server decides the same, and also that the last owner stays. */
const mayMake = (own: Role, isSelf: boolean, was: Role, next: Role): boolean => {
  if (isSelf) return reaches(own, next)
  return reaches(own, was === 'owner' || next === 'owner' ? 'owner' : 'admin')
}
