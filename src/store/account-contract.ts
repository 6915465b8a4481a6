import type { LanguageCode } from '../../languages/language.ts'
import type { AuditEvent } from './audit-contract.ts'
import type { OrganisationRecord } from './organisation-record.ts'
import type { SignInProof } from './sign-in-proof.ts'
import type { InvitationEnd, Role } from './team-contract.ts'

/**
 * Accounts, their sessions and their one-time links. Secrets are stored as hashes and never returned, except the
 * password hash, which the password check needs. A link is consumed in the same transaction as the change it
 * authorises.
 */
export type AccountRecord = {
  id: string
  email: string
  emailVerified: boolean
  /** The display name; null: the email is shown. */
  name: string | null
  hasPassword: boolean
  /** Whether an authenticator app is asked for its code at every sign-in. */
  hasTotp: boolean
  hasPasskeys: boolean
  isOwner: boolean
  language: LanguageCode
  createdAt: number
  lastSeenAt: number | null
  /** Null while the account may be used. */
  suspendedAt: number | null
}

/** An account at another provider. */
export type IdentityRecord = {
  id: string
  accountId: string
  issuer: string
  subject: string
  /** The email at that provider when it was connected, shown so that people recognise it. */
  email: string | null
  createdAt: number
  lastUsedAt: number | null
}

export type NewAccount = {
  id: string
  email: string
  /** The normalised email, used for comparison. */
  emailKey: string
  /** Every form that another account may have the same email in, see `checkEmail`. */
  emailSpellings: readonly string[]
  language: LanguageCode
  createdAt: number
  /** The hash of the password with its algorithm and parameters; null for accounts without a password. */
  passwordHash: string | null
  /** What another provider knows about the account, if it was used to sign up. */
  from?: { identity: IdentityRecord; emailVerified: boolean; name: string | null } | null
  organisationName: string
}

export type SessionRecord = {
  id: string
  accountId: string
  organisationId: string
  createdAt: number
  lastSeenAt: number
  expiresAt: number
  address: string
  userAgent: string
  /** Whether it was opened, or confirmed since, with a second factor. */
  hasSecondFactor: boolean
  /** When the identity was last confirmed in this session. */
  confirmedAt: number
}

export type OpenSession = {
  session: SessionRecord
  account: AccountRecord
  organisation: OrganisationRecord
  role: Role
  isOrganisationSuspended: boolean
  /** The organisation requires a second factor. */
  needsSecondFactor: boolean
  /** The owner of the organisation; see `CompletionCaller`. */
  ownerId: string
}

export type KnownAccount = { account: AccountRecord; organisation: OrganisationRecord; passwordHash: string | null }

type LinkKind = 'setup' | 'invitation' | 'password_reset' | 'email_verification' | 'email_change'

export type LinkRecord = {
  kind: LinkKind
  /** The account it is for, if any. */
  accountId: string | null
  createdAt: number
  /** Null: valid until it is used or replaced. */
  expiresAt: number | null
}

/** To the server, with a new organisation; or to an existing organisation. */
export type Invitation = { to: 'server' | 'organisation'; hash: Uint8Array }

export type CreateOutcome = 'created' | 'email_taken' | 'unclaimed' | InvitationEnd

export type NewEmail = Pick<NewAccount, 'email' | 'emailKey' | 'emailSpellings'>

/** `not_found`: there is no such account or link. */
export type EmailChanged = 'changed' | 'email_taken' | 'not_found'

export type DeleteOutcome =
  | { outcome: 'deleted'; keyIds: string[] }
  /** The last owner of the server, or of an organisation with others in it. */
  | { outcome: 'last_owner' | 'last_organisation_owner' | 'not_found' }

export interface AccountRecords {
  /** Whether the server has an owner. */
  isClaimed(): Promise<boolean>
  /**
   * Creates the owner, who takes over the first organisation with its keys. Of several concurrent calls one succeeds.
   */
  claim(linkHash: Uint8Array, account: NewAccount, ...events: AuditEvent[]): Promise<'claimed' | 'invalid_link'>
  /** With a new organisation, unless it was invited to one. A given invitation is consumed. */
  create(
    account: NewAccount,
    organisationId: string,
    invitation: Invitation | null,
    ...events: AuditEvent[]
  ): Promise<CreateOutcome>
  find(id: string): Promise<KnownAccount | null>
  /** The account with the first of these forms of an email that any account has. */
  findByEmail(emailSpellings: readonly string[]): Promise<KnownAccount | null>
  /** In the order in which they were created. */
  list(): Promise<AccountRecord[]>
  setLanguage(id: string, language: LanguageCode): Promise<void>
  /** The new email is not verified. Links sent to the old address become invalid. */
  changeEmail(id: string, email: NewEmail, ...events: AuditEvent[]): Promise<EmailChanged>
  /** The same with a link that was sent to the new address, which verifies it. */
  confirmEmail(linkHash: Uint8Array, email: NewEmail, now: number, ...events: AuditEvent[]): Promise<EmailChanged>
  /** False if the name is unchanged. */
  setName(id: string, name: string | null, ...events: AuditEvent[]): Promise<boolean>
  /** Ends every other session and gives this one a new token; false if this one has ended in the meantime. */
  changePassword(
    sessionId: string,
    passwordHash: string,
    tokenHash: Uint8Array,
    ...events: AuditEvent[]
  ): Promise<boolean>
  /** Consumes the link and ends every session; null if the link is not valid. */
  resetPassword(
    linkHash: Uint8Array,
    passwordHash: string,
    now: number,
    ...events: AuditEvent[]
  ): Promise<{ accountId: string } | null>
  /** Consumes the link; false if it is not valid. */
  verifyEmail(linkHash: Uint8Array, now: number, ...events: AuditEvent[]): Promise<boolean>
  /**
   * Also removes its sessions and the organisations without other members, with their keys and stored completions.
   * Audit events stay, without its name.
   */
  remove(id: string, next: OrganisationRecord, ...events: AuditEvent[]): Promise<DeleteOutcome>
  /**
   * Deletes expired sessions, links and challenges, and invitations that ended 90 days ago, at most `limit` of each;
   * how many there were.
   */
  removeExpired(now: number, limit: number): Promise<number>
}

export interface SessionRecords {
  /**
   * False if the proof is no longer valid: a sign-in in progress while the password changes must fail. `replacedHash`
   * is the token hash of the session that this one replaces.
   */
  open(
    record: SessionRecord,
    tokenHash: Uint8Array,
    proof: SignInProof,
    replacedHash: Uint8Array | null,
    ...events: AuditEvent[]
  ): Promise<boolean>
  /** The identity was confirmed again; a session with a second factor keeps it. */
  confirm(id: string, now: number, hasSecondFactor: boolean): Promise<void>
  find(tokenHash: Uint8Array): Promise<OpenSession | null>
  touch(id: string, seen: { now: number; expiresAt: number; address: string }): Promise<void>
  /** Most recently seen first, without expired ones. */
  list(accountId: string, now: number): Promise<SessionRecord[]>
  /** False if the account has no such session. */
  remove(accountId: string, id: string, ...events: AuditEvent[]): Promise<boolean>
}

export interface LinkRecords {
  insert(record: LinkRecord, tokenHash: Uint8Array, ...events: AuditEvent[]): Promise<void>
  /** Replaces every setup link from before `since`, by default all; false if the server has an owner. */
  replaceSetup(tokenHash: Uint8Array, now: number, since?: number): Promise<boolean>
  /** The link if it can still be used. Does not consume it. */
  find(kind: LinkKind, tokenHash: Uint8Array, now: number): Promise<LinkRecord | null>
}
