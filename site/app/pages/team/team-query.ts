import { queryOptions } from '@tanstack/react-query'
import type { Invitation, TeamMember } from '../../../../src/platform/contract/organisation.ts'
import { platformGet } from '../../../platform/platform.ts'

export type { Invitation, TeamMember }

export const membersQuery = queryOptions({
  queryKey: ['team', 'members'],
  queryFn: async ({ signal }) =>
    (await platformGet<{ data: readonly TeamMember[] }>('/organisation/members', signal)).data,
})

export const invitationsQuery = queryOptions({
  queryKey: ['team', 'invitations'],
  queryFn: async ({ signal }) =>
    (await platformGet<{ data: readonly Invitation[] }>('/organisation/invitations', signal)).data,
})

export type InvitationState = 'open' | 'accepted' | 'withdrawn' | 'expired'

export const invitationState = (invitation: Invitation, now: number): InvitationState => {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (invitation.withdrawnAt !== null) return 'withdrawn'
  return invitation.expiresAt <= now ? 'expired' : 'open'
}
