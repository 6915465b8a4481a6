import type { IdentityRecord, KnownAccount, SessionRecord } from './account-contract.ts'
import type { AuditEvent } from './audit-contract.ts'
import type { CodeProof, PasskeyProof } from './sign-in-proof.ts'
import type { Acting, RenameOutcome } from './team-contract.ts'

/**
 * Sign-in methods besides the password. What may be used once is consumed in the transaction it authorises, and no
 * account is left without a sign-in method.
 */

/** The secret of an authenticator app, which only the key of the data directory opens. */
export type TotpRecord = {
  sealedSecret: string
  /** The step of the last code that was taken: neither it nor an earlier one is taken again. */
  lastStep: number
  /** Null until a first code showed that the app has the secret. */
  confirmedAt: number | null
}

export type OrganisationRules = {
  secondFactorRequired: boolean
  /** Members without a second factor. */
  membersWithout: number
}
export type RuleOutcome = { outcome: 'changed' } | Exclude<RenameOutcome, { outcome: 'renamed' }>

export interface SecondFactorRecords {
  find(accountId: string): Promise<TotpRecord | null>
  /** In place of one that was never confirmed; false when one is on. */
  begin(accountId: string, sealedSecret: string, now: number): Promise<boolean>
  /**
   * Switches it on, with recovery codes; the session has a second factor from now on. False if this is not the secret
   * that is waiting to be confirmed.
   */
  confirm(
    holder: Pick<SessionRecord, 'id' | 'accountId'>,
    confirmed: { sealedSecret: string; step: number; codeHashes: readonly Uint8Array[]; now: number },
    ...events: AuditEvent[]
  ): Promise<boolean>
  /** All earlier ones become invalid. False if there is no second factor. */
  replaceRecoveryCodes(accountId: string, codeHashes: readonly Uint8Array[], ...events: AuditEvent[]): Promise<boolean>
  recoveryCodesLeft(accountId: string): Promise<number>
  /** False when it was used before. */
  use(accountId: string, proof: CodeProof): Promise<boolean>
  /** Switches it off, by a code that is used up with it. */
  remove(accountId: string, proof: CodeProof, ...events: AuditEvent[]): Promise<boolean>
  /** Null if there is no such organisation. */
  rules(organisationId: string): Promise<OrganisationRules | null>
  /** Whether the organisation requires a second factor. */
  require(by: Acting, isRequired: boolean, event: AuditEvent): Promise<RuleOutcome>
  /** For a lost second factor: needs no code, and every session ends. False if there was none. */
  reset(accountId: string, ...events: AuditEvent[]): Promise<boolean>
}

export type PasskeyRecord = {
  id: string
  /** The id by which authenticators know it. */
  credentialId: string
  accountId: string
  name: string
  publicKey: Uint8Array
  counter: number
  transports: readonly string[]
  /** The host name that it was created for and is valid for. */
  relyingParty: string
  createdAt: number
  lastUsedAt: number | null
}

export type SignInMethodRemoval = 'removed' | 'not_found' | 'last_sign_in_method'

export interface PasskeyRecords {
  list(accountId: string): Promise<PasskeyRecord[]>
  findByCredential(credentialId: string): Promise<{ passkey: PasskeyRecord; known: KnownAccount } | null>
  /** The session has a second factor from now on. */
  insert(
    record: PasskeyRecord,
    sessionId: string,
    max: number,
    ...events: AuditEvent[]
  ): Promise<'added' | 'taken' | 'too_many'>
  /** False when its counter is not beyond the last one. */
  use(proof: PasskeyProof, accountId: string, now: number): Promise<boolean>
  rename(accountId: string, id: string, name: string, ...events: AuditEvent[]): Promise<boolean>
  remove(accountId: string, id: string, ...events: AuditEvent[]): Promise<SignInMethodRemoval>
}

export interface IdentityRecords {
  list(accountId: string): Promise<IdentityRecord[]>
  find(issuer: string, subject: string): Promise<KnownAccount | null>
  /** `taken`: it belongs to another account. `another`: the account has one of this issuer already. */
  connect(record: IdentityRecord, ...events: AuditEvent[]): Promise<'connected' | 'taken' | 'another'>
  remove(accountId: string, id: string, ...events: AuditEvent[]): Promise<SignInMethodRemoval>
}

export type ChallengeKind = 'second_step' | 'passkey' | 'new_passkey' | 'provider'

export type ChallengeRecord = {
  kind: ChallengeKind
  /** The account it is for, if known. */
  accountId: string | null
  /** JSON of what has to be known when the answer comes. */
  content: string
  /** How many wrong attempts are allowed. */
  triesLeft: number
  expiresAt: number
}

export interface ChallengeRecords {
  insert(record: ChallengeRecord, tokenHash: Uint8Array, now: number): Promise<void>
  /** Counts an attempt before its result is known; null if none is left. */
  attempt(kind: ChallengeKind, tokenHash: Uint8Array, now: number): Promise<ChallengeRecord | null>
  /** Consumes it. */
  take(kind: ChallengeKind, tokenHash: Uint8Array, now: number): Promise<ChallengeRecord | null>
}
