import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { useMay } from '../../role.ts'
import { dayText } from '../../time/moments.ts'
import { useNow } from '../../time/use-now.ts'
import { useLocale } from '../../words-context.tsx'
import { RoleChoice } from './role-choice.tsx'
import type { TeamMember } from './team-query.ts'

type MembersTableProps = { members: readonly TeamMember[]; ownId: string; onRemove(member: TeamMember): void }

export const MembersTable = ({ members, ownId, onRemove }: MembersTableProps) => {
  const { language, words } = useLocale()
  const { team, shell } = words
  const may = useMay()
  const now = useNow()
  const day = (ms: number): string => dayText(ms, now, language)
  const owners = members.filter(({ role }) => role === 'owner').length
  const mayRemove = ({ id, role }: TeamMember): boolean =>
    id !== ownId && may(role === 'owner' ? 'manageOwners' : 'manageMembers')
  const columns: Column<TeamMember>[] = [
    {
      id: 'email',
      className: 'name',
      head: shell.email,
      cell: ({ id, email, suspendedAt }) => (
        <>
          <b>{email}</b> {suspendedAt === null ? null : <Tag state="bad">{shell.suspended}</Tag>}
          {id === ownId ? <span className="subtext">{team.you}</span> : null}
        </>
      ),
    },
    {
      id: 'role',
      className: 'state',
      head: shell.role,
      cell: (member) => (
        <RoleChoice
          member={member}
          isSelf={member.id === ownId}
          isLastOwner={member.role === 'owner' && owners === 1}
        />
      ),
    },
    {
      id: 'joined',
      className: 'created',
      head: team.joined,
      labelled: true,
      cell: ({ joinedAt }) => day(joinedAt),
    },
    {
      id: 'seen',
      className: 'used',
      head: shell.lastSeen,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? <span className="muted">{shell.neverSeen}</span> : day(lastSeenAt),
    },
    actionColumn(shell.action, (member) =>
      mayRemove(member) ? (
        <Button aria-label={team.removeOf(member.email)} onClick={() => onRemove(member)}>
          {team.remove}
        </Button>
      ) : null,
    ),
  ]
  return (
    <Table className="cards records" caption={team.caption} columns={columns} rows={members} rowKey={({ id }) => id} />
  )
}
