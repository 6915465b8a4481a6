import type { InvitationRecord, MemberRecord, OwnOrganisation as OwnRecord } from '../../store/team-contract.ts'
import type { Invitation, OwnOrganisation, TeamMember } from '../contract/organisation.ts'

export const ownOrganisationJson = (organisation: OwnRecord): OwnOrganisation => ({
  id: organisation.id,
  name: organisation.name,
  createdAt: organisation.createdAt,
  role: organisation.role,
  members: organisation.members,
  suspendedAt: organisation.suspendedAt,
})

export const memberJson = ({ accountId, ...member }: MemberRecord): TeamMember => ({
  id: accountId,
  email: member.email,
  role: member.role,
  joinedAt: member.joinedAt,
  lastSeenAt: member.lastSeenAt,
  suspendedAt: member.suspendedAt,
})

type Listed = InvitationRecord & { inviterEmail: string | null }

export const invitationJson = (invitation: Listed): Invitation => ({
  id: invitation.id,
  role: invitation.role,
  email: invitation.email,
  invitedBy: invitation.inviterEmail,
  createdAt: invitation.createdAt,
  expiresAt: invitation.expiresAt,
  acceptedAt: invitation.acceptedAt,
  withdrawnAt: invitation.withdrawnAt,
})
