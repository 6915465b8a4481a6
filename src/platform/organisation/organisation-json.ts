import type { InvitationRecord, MemberRecord, OwnOrganisation } from '../../store/team-contract.ts'

export const ownOrganisationJson = ({ id, name, role, members, suspendedAt }: OwnOrganisation) => ({
  id,
  name,
  role,
  members,
  suspended: suspendedAt !== null,
})

export const memberJson = ({ accountId, email, role, joinedAt, lastSeenAt, suspendedAt }: MemberRecord) => ({
  id: accountId,
  email,
  role,
  joinedAt,
  lastSeenAt,
  suspended: suspendedAt !== null,
})

type Listed = InvitationRecord & { inviterEmail: string | null }

export const invitationJson = (invitation: Listed) => ({
  id: invitation.id,
  role: invitation.role,
  email: invitation.email,
  invitedBy: invitation.inviterEmail,
  createdAt: invitation.createdAt,
  expiresAt: invitation.expiresAt,
  acceptedAt: invitation.acceptedAt,
  withdrawnAt: invitation.withdrawnAt,
})
