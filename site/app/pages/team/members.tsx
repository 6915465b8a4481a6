import { useDialog } from '../../address/use-dialog.ts'
import { useSession } from '../../session.ts'
import { MembersTable } from './members-table.tsx'
import { RemoveMember } from './remove-member.tsx'
import type { TeamMember } from './team-query.ts'

export const Members = ({ members }: { members: readonly TeamMember[] }) => {
  const { account } = useSession()
  const removal = useDialog('remove')
  const leaving = members.find(({ id }) => id === removal.subject) ?? null
  return (
    <>
      <MembersTable members={members} ownId={account.id} onRemove={({ id }) => removal.open(id)} />
      <RemoveMember member={leaving} onClose={removal.close} />
    </>
  )
}
