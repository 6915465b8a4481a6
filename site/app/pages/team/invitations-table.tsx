import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { dayText } from '../../time/moments.ts'
import { useNow } from '../../time/use-now.ts'
import { useLocale } from '../../words-context.tsx'
import { invitationState } from './invitation-state.ts'
import type { Invitation } from './team-query.ts'

type InvitationsTableProps = { invitations: readonly Invitation[]; onWithdraw(invitation: Invitation): void }

const shapes = { open: 'ok', accepted: 'off', withdrawn: 'bad', expired: 'bad' } as const

export const InvitationsTable = ({ invitations, onWithdraw }: InvitationsTableProps) => {
  const { language, words } = useLocale()
  const { team, shell } = words
  const now = useNow()
  const columns: Column<Invitation>[] = [
    {
      id: 'email',
      className: 'name',
      head: shell.email,
      cell: ({ email, invitedBy }) => (
        <>
          <b>{email ?? team.withoutEmail}</b>
          {invitedBy === null ? null : <span className="subtext">{team.invitedBy(invitedBy)}</span>}
        </>
      ),
    },
    { id: 'role', className: 'key', head: shell.role, cell: ({ role }) => team.roles[role] },
    {
      id: 'state',
      className: 'state',
      head: shell.state,
      cell: (invitation) => {
        const state = invitationState(invitation, now)
        return <Tag state={shapes[state]}>{team[state]}</Tag>
      },
    },
    {
      id: 'until',
      className: 'created',
      head: team.until,
      labelled: true,
      cell: ({ expiresAt }) => dayText(expiresAt, now, language),
    },
    actionColumn(shell.action, (invitation) =>
      invitationState(invitation, now) === 'open' ? (
        <Button
          aria-label={team.withdrawOf(invitation.email ?? team.withoutEmail)}
          onClick={() => onWithdraw(invitation)}
        >
          {team.withdraw}
        </Button>
      ) : null,
    ),
  ]
  return (
    <Table
      className="cards records invitations"
      caption={team.invitationsCaption}
      columns={columns}
      rows={invitations}
      rowKey={({ id }) => id}
      isDim={(invitation) => invitationState(invitation, now) !== 'open'}
    />
  )
}
