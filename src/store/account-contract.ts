import type { AuditEvent } from './audit-contract.ts'
import type { OrganisationRecord } from './organisation-record.ts'
import type { SignInProof } from './sign-in-proof.ts'
import type { InvitationEnd, Role } from './team-contract.ts'

/**
 * People, their sessions and their one-time links. Secrets go in as hashes and never come out, but for a password's,
 * which only its own check needs. What must not happen twice is one call: a link is used up in the same transaction as
 * whatever it was for.
 */
export type Language = 'en' | 'ja'

export type AccountRecord = {
  id: string
  email: string
  emailVerified: boolean
  /** As they want to be called; null: by their email. */
  name: string | null
  hasPassword: boolean
  /** Whether an authenticator app is asked for its code at every sign-in. */
  hasTotp: boolean
  hasPasskeys: boolean
  isOwner: boolean
  language: Language
  createdAt: number
  lastSeenAt: number | null
  /** Null while the account may be used. */
  suspendedAt: number | null
}

/** Somebody as another place knows them. */
export type IdentityRecord = {
  id: string
  accountId: string
  issuer: string
  subject: string
  /** As it was there when it was connected, for people to recognise it. */
  email: string | null
  createdAt: number
  lastUsedAt: number | null
}

export type NewAccount = {
  id: string
  email: string
  /** The email in the one form in which two of them are compared. */
  emailKey: string
  language: Language
  createdAt: number
  /** The hash of the password, in a form that names how it was made; null for who signs in elsewhere. */
  passwordHash: string | null
  /** What is known from elsewhere, where somebody signs up with another place's word for who they are. */
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
  /** Whether it was opened, or confirmed since, by more than a password. */
  hasSecondFactor: boolean
  /** When somebody last proved in it who they are. */
  confirmedAt: number
}

export type OpenSession = {
  session: SessionRecord
  account: AccountRecord
  organisation: OrganisationRecord
  role: Role
  isOrganisationSuspended: boolean
  /** The organisation takes only sessions with a second factor. */
  needsSecondFactor: boolean
}

export type KnownAccount = { account: AccountRecord; organisation: OrganisationRecord; passwordHash: string | null }

type LinkKind = 'setup' | 'invitation' | 'password_reset' | 'email_verification' | 'email_change'

export type LinkRecord = {
  kind: LinkKind
  /** Whom it is for, where it is for an account. */
  accountId: string | null
  createdAt: number
  /** Null: it stands until it is used or replaced. */
  expiresAt: number | null
}

/** To the server, with an organisation of one's own; or to an organisation that is there. */
export type Invitation = { to: 'server' | 'organisation'; hash: Uint8Array }

export type CreateOutcome = 'created' | 'email_taken' | 'unclaimed' | InvitationEnd

export type NewEmail = Pick<NewAccount, 'email' | 'emailKey'>

/** `not_found`: neither such an account nor such a link. */
export type EmailChanged = 'changed' | 'email_taken' | 'not_found'

export type DeleteOutcome =
  | { outcome: 'deleted'; keyIds: string[] }
  /** The last owner of the server, or of an organisation with others in it. */
  | { outcome: 'last_owner' | 'last_organisation_owner' | 'not_found' }

export interface AccountRecords {
  /** Whether the server has an owner. */
  isClaimed(): Promise<boolean>
  /** Makes the owner, who takes over the first organisation with its keys. Of many callers at once one wins. */
  claim(linkHash: Uint8Array, account: NewAccount, ...events: AuditEvent[]): Promise<'claimed' | 'invalid_link'>
  /** With an organisation of its own, unless it was invited to one. An invitation is used up where one is given. */
  create(
    account: NewAccount,
    organisationId: string,
    invitation: Invitation | null,
    ...events: AuditEvent[]
  ): Promise<CreateOutcome>
  find(id: string): Promise<KnownAccount | null>
  findByEmail(emailKey: string): Promise<KnownAccount | null>
  /** In the order in which they were made. */
  list(): Promise<AccountRecord[]>
  setLanguage(id: string, language: Language): Promise<void>
  /** Not verified any more. Links that were sent to the address so far end. */
  changeEmail(id: string, email: NewEmail, ...events: AuditEvent[]): Promise<EmailChanged>
  /** The same by a link, which was sent to the new address: so that is verified. */
  confirmEmail(linkHash: Uint8Array, email: NewEmail, now: number, ...events: AuditEvent[]): Promise<EmailChanged>
  /** False where it was called so before. */
  setName(id: string, name: string | null, ...events: AuditEvent[]): Promise<boolean>
  /** Ends every other session and gives this one a new token; false when this one has ended meanwhile. */
  changePassword(
    sessionId: string,
    passwordHash: string,
    tokenHash: Uint8Array,
    ...events: AuditEvent[]
  ): Promise<boolean>
  /** Uses up the link, ends every session; null when the link is not valid. */
  resetPassword(
    linkHash: Uint8Array,
    passwordHash: string,
    now: number,
    ...events: AuditEvent[]
  ): Promise<{ accountId: string } | null>
  /** Uses up the link; false when it is not valid. */
  verifyEmail(linkHash: Uint8Array, now: number, ...events: AuditEvent[]): Promise<boolean>
  /**
   * With its sessions, and with the organisations nobody else belongs to: their keys and stored completions. What the
   * audit has of it stays, without its name.
   */
  remove(id: string, next: OrganisationRecord, ...events: AuditEvent[]): Promise<DeleteOutcome>
}

export interface SessionRecords {
  /**
   * False when the proof does not hold any more: a sign-in that was under way while the password changed must not outlive
   * the change. `replacedHash` is the token of the session that this one takes the place of.
   */
  open(
    record: SessionRecord,
    tokenHash: Uint8Array,
    proof: SignInProof,
    replacedHash: Uint8Array | null,
    ...events: AuditEvent[]
  ): Promise<boolean>
  /** Somebody proved again who they are; a session that has a second factor keeps it. */
  confirm(id: string, now: number, hasSecondFactor: boolean): Promise<void>
  find(tokenHash: Uint8Array): Promise<OpenSession | null>
  touch(id: string, seen: { now: number; expiresAt: number; address: string }): Promise<void>
  /** Most recently seen first, without those that are over. */
  list(accountId: string, now: number): Promise<SessionRecord[]>
  /** False when the account has no such session. */
  remove(accountId: string, id: string, ...events: AuditEvent[]): Promise<boolean>
}

export interface LinkRecords {
  insert(record: LinkRecord, tokenHash: Uint8Array, ...events: AuditEvent[]): Promise<void>
  /** Instead of every earlier setup link; false when the server has an owner. */
  replaceSetup(tokenHash: Uint8Array, now: number): Promise<boolean>
  /** Whether it can still be used, for whom; it is not used up by asking. */
  find(kind: LinkKind, tokenHash: Uint8Array, now: number): Promise<LinkRecord | null>
}
