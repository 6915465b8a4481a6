import type { Invitation, TeamMember } from '../../../../src/platform/contract/organisation.ts'
import { platformListQuery } from '../../platform-query.ts'

export type { Invitation, TeamMember }

export const membersQuery = platformListQuery<TeamMember>(['team', 'members'], '/organisation/members')

export const invitationsQuery = platformListQuery<Invitation>(['team', 'invitations'], '/organisation/invitations')

export type InvitationState = 'open' | 'accepted' | 'withdrawn' | 'expired'

export const invitationState = (invitation: Invitation, now: number): InvitationState => {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (invitation.withdrawnAt !== null) return 'withdrawn'
  return invitation.expiresAt <= now ? 'expired' : 'open'
}
