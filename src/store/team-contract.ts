import type { AuditEvent } from './audit-contract.ts'
import type { OrganisationRecord } from './organisation-record.ts'

/**
 * Members of organisations, their roles, and invitations. Every change names its actor, whose role is read in the same
 * transaction, so that a role removed a moment ago no longer counts. An account always has an organisation: when it
 * loses the last one, it gets a new, empty one.
 */

/** From the lowest to the highest: each may do what the ones before it may. */
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

/** An organisation as one of its members sees it. */
export type OwnOrganisation = OrganisationRecord & { role: Role; members: number; suspendedAt: number | null }

/** The actor and the organisation. */
export type Acting = { organisationId: string; accountId: string }

/** Why nothing was changed. */
type Refusal =
  | { outcome: 'not_found' }
  | { outcome: 'role_too_low'; needed: Role }
  /** An organisation needs an owner. */
  | { outcome: 'last_owner' }
  /** It has changed since the actor decided to change it. */
  | { outcome: 'changed_meanwhile'; now: string }

export type RenameOutcome = { outcome: 'renamed' } | Refusal
export type RoleOutcome = { outcome: 'changed' } | Refusal
export type HandOverOutcome = { outcome: 'handed_over' } | Refusal
/** `keyIds`: keys that were revoked with it. */
export type RemovalOutcome = { outcome: 'removed'; keyIds: string[] } | Refusal

export interface TeamRecords {
  /** In the order in which the account joined them. */
  organisations(accountId: string): Promise<OwnOrganisation[]>
  /** In the order in which they joined. */
  members(organisationId: string): Promise<MemberRecord[]>
  /** The account becomes its owner, unless it already owns `most`. */
  create(organisation: OrganisationRecord, ownerId: string, max: number, event: AuditEvent): Promise<boolean>
  /** The session continues for another organisation; false if its account is not a member of that one. */
  switchTo(sessionId: string, organisationId: string): Promise<boolean>
  rename(by: Acting, name: string, was: string, event: AuditEvent): Promise<RenameOutcome>
  changeRole(by: Acting, change: { accountId: string; role: Role; was: Role }, event: AuditEvent): Promise<RoleOutcome>
  /** The other member becomes an owner, and the actor an admin. */
  handOver(by: Acting, accountId: string, event: AuditEvent): Promise<HandOverOutcome>
  /** The actor may be the member who leaves. `revokeKeys` revokes the keys that the member created. */
  removeMember(
    by: Acting,
    leaving: { accountId: string; revokeKeys: boolean },
    event: AuditEvent,
  ): Promise<RemovalOutcome>
  /** With its keys and stored completions. Its members stay in their other organisations. */
  remove(by: Acting, event: AuditEvent): Promise<RemovalOutcome>
}

export type InvitationRecord = {
  id: string
  organisationId: string
  role: Role
  /** The email it was sent to or is meant for. Anyone with the link can use it. */
  email: string | null
  /** The account that created it; null if that account was deleted. */
  invitedBy: string | null
  createdAt: number
  expiresAt: number
  acceptedAt: number | null
  withdrawnAt: number | null
}

/** An invitation as the invited person sees it. */
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
  /** Nobody can invite to a higher role than their own. `most`: how many may be open at once. */
  insert(
    by: Acting,
    record: InvitationRecord,
    tokenHash: Uint8Array,
    max: number,
    event: AuditEvent,
  ): Promise<InviteOutcome>
  /** Newest first: those that can be used, and those that ended after `endedAfter`. */
  list(organisationId: string, endedAfter: number): Promise<(InvitationRecord & { inviterEmail: string | null })[]>
  find(tokenHash: Uint8Array): Promise<ShownInvitation | null>
  /** False if there is no such invitation or it has ended. */
  withdraw(organisationId: string, id: string, now: number, event: AuditEvent): Promise<boolean>
  /** The account joins, and its session continues for the organisation. */
  accept(
    tokenHash: Uint8Array,
    joining: { accountId: string; sessionId: string; now: number },
    event: AuditEvent,
  ): Promise<AcceptOutcome>
}
