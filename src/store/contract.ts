import type { AccountRecords, LinkRecords, SessionRecords } from './account-contract.ts'
import type { AuditEvent, AuditRecords } from './audit-contract.ts'
import type { BodyRecords } from './body-contract.ts'
import type { LedgerRecords, Limits, OrganisationLimits, ReplayRecords, UsageRecords } from './ledger-contract.ts'
import type { OrganisationRecord } from './organisation-record.ts'
import type { RequestLogRecords } from './request-log-contract.ts'
import type { ChallengeRecords, IdentityRecords, PasskeyRecords, SecondFactorRecords } from './sign-in-contract.ts'
import type { SuspendedThing, SuspensionRecords } from './suspension-contract.ts'
import type { InvitationRecords, TeamRecords } from './team-contract.ts'

export type KeyRecord = {
  id: string
  organisationId: string
  name: string
  /** How the secret begins and ends: enough to recognise it, useless for guessing it. */
  prefix: string
  lastFour: string
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  /** The account that made it; null for one of the command line, or when that account is gone. */
  createdBy: string | null
  /** What it opens. `manage` stands alone: such a key cannot ask the model anything. */
  scopes: readonly AccessScope[]
  /** Null: all of them. */
  models: readonly string[] | null
  /** Addresses and networks (CIDR) it may be used from; null: all. */
  networks: readonly string[] | null
  limits: Limits
  /** To within a minute. */
  lastUsedAt: number | null
  /** Until this time, the secret from before the last rotation also works. */
  previousUntil: number | null
  /** Since then the owner of the server keeps it from being used; null: it may be used. */
  suspendedAt: number | null
}

export const accessScopes = ['chat', 'models', 'completions.read', 'completions.write', 'manage'] as const
export type AccessScope = (typeof accessScopes)[number]

/** By which of its secrets a key was found, and what of it is suspended: itself, whoever made it, or all of its organisation. */
export type FoundKey = { record: KeyRecord; secret: 'current' | 'previous'; suspended: SuspendedThing | null }

export type RotatedSecret = { secretHash: Uint8Array; prefix: string; lastFour: string; previousUntil: number | null }

/** Whose keys are meant. Only the command line may mean everybody's, and has to say so. */
export type KeyScope = { organisationId: string } | 'all'

export type RevokeOutcome = 'revoked' | 'already_revoked' | 'not_found'

export type KeyChanges = Partial<Pick<KeyRecord, 'name' | 'limits' | 'models' | 'networks' | 'expiresAt'>>

export type KeyChanged =
  | { outcome: 'changed'; record: KeyRecord }
  | { outcome: 'limits_changed' }
  | { outcome: 'not_found' }

export interface KeyRecords {
  /** The hash is kept beside the record and never comes out again. */
  insert(record: KeyRecord, secretHash: Uint8Array, ...events: AuditEvent[]): Promise<void>
  /** Also by the secret before the last rotation, whether its time is over or not. */
  findByHash(secretHash: Uint8Array): Promise<FoundKey | null>
  /** In the order in which they were made. */
  list(scope: KeyScope): Promise<KeyRecord[]>
  find(scope: KeyScope, id: string): Promise<KeyRecord | null>
  /** The first revocation counts: a later one changes nothing. */
  revoke(scope: KeyScope, id: string, revokedAt: number, ...events: AuditEvent[]): Promise<RevokeOutcome>
  /** The secret so far becomes the previous one; an older one ends. Null when there is no such key, or it is revoked. */
  rotate(scope: KeyScope, id: string, secret: RotatedSecret, ...events: AuditEvent[]): Promise<KeyRecord | null>
  /** Nothing is changed where the limits are not what they `were`; null stands for whatever they are. */
  change(
    scope: KeyScope,
    id: string,
    changes: KeyChanges,
    were: Limits | null,
    ...events: AuditEvent[]
  ): Promise<KeyChanged>
  /** When each of them was last used; never moves backwards. */
  touch(used: readonly { id: string; lastUsedAt: number }[]): Promise<void>
}

export type Metadata = Record<string, string>

/** A completion that its caller asked to keep, with what was asked. */
export type StoredCompletion = {
  id: string
  organisationId: string
  createdAt: number
  model: string
  metadata: Metadata | null
  /** JSON text of the completion, without its metadata: that alone can change. */
  completion: string
  /** JSON text of the messages of the request, as they were sent. */
  messages: string
}

/** Lists leave the messages out: they can be long, and nobody reads them there. */
export type ListedCompletion = Omit<StoredCompletion, 'messages'>

export type CompletionFilter = {
  model: string | null
  /** All of its pairs must be there. */
  metadata: Metadata
  /** Id of the last one seen: the page begins behind it. */
  after: string | null
  limit: number
  order: 'asc' | 'desc'
}

export type CompletionPage = { items: ListedCompletion[]; hasMore: boolean }

/** Whose completions they are is part of every question: another organisation's do not exist. */
export interface CompletionRecords {
  insert(record: StoredCompletion): Promise<void>
  find(organisationId: string, id: string): Promise<StoredCompletion | null>
  /**
   * By `createdAt`, those of one millisecond in the order in which they came. A page may hold fewer than `limit` although
   * there are more, when they are long. The cursor is unknown when its completion is not there, or not any more.
   */
  list(organisationId: string, filter: CompletionFilter): Promise<CompletionPage | 'unknown_cursor'>
  /** Null when there is no such completion. */
  setMetadata(organisationId: string, id: string, metadata: Metadata | null): Promise<StoredCompletion | null>
  /** False when there was nothing to remove. */
  remove(organisationId: string, id: string): Promise<boolean>
}

export type LimitsSet = 'set' | 'limits_changed' | 'not_found'

export type GivenLimits = {
  limits: OrganisationLimits
  /** The organisation of the server's owner: the defaults for new organisations are not for it. */
  isServerOrganisation: boolean
}

interface OrganisationRecords {
  /** The one the first start made. An open store always has it. */
  first(): Promise<OrganisationRecord>
  /** In the order in which they were made. */
  list(): Promise<(OrganisationRecord & GivenLimits)[]>
  /** Null when there is no such organisation. */
  limits(id: string): Promise<GivenLimits | null>
  /** Nothing is changed where the limits are not what they `were`; null stands for whatever they are. */
  setLimits(
    id: string,
    limits: OrganisationLimits,
    were: OrganisationLimits | null,
    ...events: AuditEvent[]
  ): Promise<LimitsSet>
}

/**
 * What the rest of the program sees of a database: records in, records out, always a promise. It imports nothing but its
 * other halves about people and the ledger, and promises that a resolved write survives a crash, and that calls take effect in the order in which they were made.
 * Times are milliseconds since 1970.
 */
export interface Store {
  readonly keys: KeyRecords
  readonly organisations: OrganisationRecords
  readonly completions: CompletionRecords
  readonly accounts: AccountRecords
  readonly sessions: SessionRecords
  readonly links: LinkRecords
  readonly teams: TeamRecords
  readonly invitations: InvitationRecords
  readonly suspensions: SuspensionRecords
  readonly audit: AuditRecords
  readonly secondFactors: SecondFactorRecords
  readonly passkeys: PasskeyRecords
  readonly identities: IdentityRecords
  readonly challenges: ChallengeRecords
  readonly ledger: LedgerRecords
  readonly requestLog: RequestLogRecords
  readonly bodies: BodyRecords
  readonly usage: UsageRecords
  readonly replays: ReplayRecords
  /** Resolves, with a line for the operator, when the store can never be used again although nobody closed it. */
  readonly failed: Promise<Error>
  /** Proves by a real write that the store takes writes. */
  ping(): Promise<void>
  /** Writes a whole copy to a new file while the store goes on working. */
  backUp(file: string): Promise<void>
  /** Finishes what was asked before, then lets go of the database. Later calls are rejected. */
  close(): Promise<void>
}
