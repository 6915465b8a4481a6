import { queryOptions } from '@tanstack/react-query'
import type { Role } from '../../../../src/store/team-contract.ts'
import { platformGet } from '../../../platform/platform.ts'

export type TeamMember = {
  id: string
  email: string
  role: Role
  joinedAt: number
  lastSeenAt: number | null
  suspended: boolean
}

export type Invitation = {
  id: string
  role: Role
  email: string | null
  invitedBy: string | null
  createdAt: number
  expiresAt: number
  acceptedAt: number | null
  withdrawnAt: number | null
}

export const membersQuery = queryOptions({
  queryKey: ['team', 'members'],
  queryFn: async ({ signal }) => (await platformGet<{ data: TeamMember[] }>('/organisation/members', signal)).data,
})

export const invitationsQuery = queryOptions({
  queryKey: ['team', 'invitations'],
  queryFn: async ({ signal }) => (await platformGet<{ data: Invitation[] }>('/organisation/invitations', signal)).data,
})

export type InvitationState = 'open' | 'accepted' | 'withdrawn' | 'expired'

export const invitationState = (invitation: Invitation, now: number): InvitationState => {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (invitation.withdrawnAt !== null) return 'withdrawn'
  return invitation.expiresAt <= now ? 'expired' : 'open'
}
