import type { InvitationEnd, ShownInvitation } from './team-contract.ts'

type Ended = Exclude<InvitationEnd, 'unknown'>

/** Why it cannot be used; null while it can. */
export const invitationEnd = (invitation: ShownInvitation, now: number): Ended | null => {
  if (invitation.acceptedAt !== null) return 'used'
  if (invitation.withdrawnAt !== null) return 'withdrawn'
  if (invitation.expiresAt <= now) return 'expired'
  return invitation.isOrganisationSuspended ? 'suspended' : null
}
