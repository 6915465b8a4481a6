import type { AuditEvent } from './audit-contract.ts'
import type { OrganisationRecord } from './organisation-record.ts'

/**
 * Who belongs to which organisation, with which role, and who is invited. Whoever acts is part of every change: their role
 * is read in the transaction that makes it, so that a right that was taken away a moment ago counts no more. An account is
 * never without an organisation: whoever loses the last one gets a new, empty one.
 */

/** Least first: each may do what those before it may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export type MemberRecord = {
  accountId: string
  email: string
  role: Role
  joinedAt: number
  lastSeenAt: number | null
  suspendedAt: number | null
}

/** An organisation as one of its members has it. */
export type OwnOrganisation = OrganisationRecord & { role: Role; members: number; suspendedAt: number | null }

/** Who acts, in which organisation. */
export type Acting = { organisationId: string; accountId: string }

/** Why nothing was changed. */
type Refusal =
  | { outcome: 'not_found' }
  | { outcome: 'role_too_low'; needed: Role }
  /** An organisation needs an owner. */
  | { outcome: 'last_owner' }
  /** It is not any more what it was when somebody decided to change it. */
  | { outcome: 'changed_meanwhile'; now: string }

export type RenameOutcome = { outcome: 'renamed' } | Refusal
export type RoleOutcome = { outcome: 'changed' } | Refusal
export type HandOverOutcome = { outcome: 'handed_over' } | Refusal
/** `keyIds`: keys that ended with it. */
export type RemovalOutcome = { outcome: 'removed'; keyIds: string[] } | Refusal

export interface TeamRecords {
  /** In the order in which the account came to them. */
  organisations(accountId: string): Promise<OwnOrganisation[]>
  /** In the order in which they came. */
  members(organisationId: string): Promise<MemberRecord[]>
  /** The account becomes its owner, unless it owns `most` already. */
  create(organisation: OrganisationRecord, ownerId: string, most: number, event: AuditEvent): Promise<boolean>
  /** The session goes on for another organisation; false when its account does not belong to that one. */
  switchTo(sessionId: string, organisationId: string): Promise<boolean>
  rename(by: Acting, name: string, was: string, event: AuditEvent): Promise<RenameOutcome>
  changeRole(by: Acting, change: { accountId: string; role: Role; was: Role }, event: AuditEvent): Promise<RoleOutcome>
  /** The other becomes an owner, and whoever acts an admin. */
  handOver(by: Acting, accountId: string, event: AuditEvent): Promise<HandOverOutcome>
  /** Whoever acts may be the one who leaves. With `revokeKeys` the keys that they made end. */
  removeMember(
    by: Acting,
    leaving: { accountId: string; revokeKeys: boolean },
    event: AuditEvent,
  ): Promise<RemovalOutcome>
  /** With its keys and stored completions. Its people stay, in other organisations of theirs. */
  remove(by: Acting, event: AuditEvent): Promise<RemovalOutcome>
}

export type InvitationRecord = {
  id: string
  organisationId: string
  role: Role
  /** Whom it was sent to or is meant for; it is good for whoever has the link. */
  email: string | null
  /** The account that made it; null when that account is gone. */
  invitedBy: string | null
  createdAt: number
  expiresAt: number
  acceptedAt: number | null
  withdrawnAt: number | null
}

/** An invitation as the invited see it. */
export type ShownInvitation = InvitationRecord & {
  organisationName: string
  isOrganisationSuspended: boolean
  inviterEmail: string | null
}

export type InvitationEnd = 'unknown' | 'expired' | 'used' | 'withdrawn' | 'suspended'

export type InviteOutcome = { outcome: 'invited' } | { outcome: 'role_too_low'; needed: Role } | { outcome: 'too_many' }
export type AcceptOutcome =
  | { outcome: 'accepted'; organisationId: string; role: Role }
  | { outcome: 'already_member'; organisationId: string }
  | { outcome: InvitationEnd }

export interface InvitationRecords {
  /** Nobody invites to more than they are. `most`: how many may be open at once. */
  insert(
    by: Acting,
    record: InvitationRecord,
    tokenHash: Uint8Array,
    most: number,
    event: AuditEvent,
  ): Promise<InviteOutcome>
  /** Newest first: those that can be used, and those that ended since `endedAfter`. */
  list(organisationId: string, endedAfter: number): Promise<(InvitationRecord & { inviterEmail: string | null })[]>
  find(tokenHash: Uint8Array): Promise<ShownInvitation | null>
  /** False when there is no such invitation, or it has ended. */
  withdraw(organisationId: string, id: string, now: number, event: AuditEvent): Promise<boolean>
  /** The account joins, and its session goes on for the organisation. */
  accept(
    tokenHash: Uint8Array,
    joining: { accountId: string; sessionId: string; now: number },
    event: AuditEvent,
  ): Promise<AcceptOutcome>
}
