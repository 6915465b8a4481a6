import type { Invitation } from '../../../../src/platform/contract/organisation.ts'

export type InvitationState = 'open' | 'accepted' | 'withdrawn' | 'expired'

export const invitationState = (invitation: Invitation, now: number): InvitationState => {
  if (invitation.acceptedAt !== null) return 'accepted'
  if (invitation.withdrawnAt !== null) return 'withdrawn'
  return invitation.expiresAt <= now ? 'expired' : 'open'
}
