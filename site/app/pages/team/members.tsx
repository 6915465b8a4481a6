import { useState } from 'react'
import { useSession } from '../../session.ts'
import { MembersTable } from './members-table.tsx'
import { RemoveMember } from './remove-member.tsx'
import type { TeamMember } from './team-query.ts'

export const Members = ({ members }: { members: readonly TeamMember[] }) => {
  const { account } = useSession()
  const [leaving, setLeaving] = useState<TeamMember | null>(null)
  return (
    <>
      <MembersTable members={members} ownId={account.id} onRemove={setLeaving} />
      <RemoveMember member={leaving} onClose={() => setLeaving(null)} />
    </>
  )
}
