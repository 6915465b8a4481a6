import type { AccountRecords, LinkRecords, SessionRecords } from './account-contract.ts'
import type { AuditEvent, AuditRecords } from './audit-contract.ts'
import type { BackupItem } from './backup-item.ts'
import type { BodyRecords } from './body-contract.ts'
import type { CacheRecords } from './cache-contract.ts'
import type { CallerRecords } from './caller-contract.ts'
import type { Claims } from './claim-contract.ts'
import type { ConversationRecords } from './conversation-contract.ts'
import type { HiddenNoticeRecords } from './hidden-notice-contract.ts'
import type { LedgerRecords, Limits, OrganisationLimits, UsageRecords } from './ledger-contract.ts'
import type { NodeRecords } from './node-contract.ts'
import type { OrganisationRecord } from './organisation-record.ts'
import type { PlaygroundRecords } from './playground-contract.ts'
import type { ReplayRecords } from './replay-contract.ts'
import type { RequestLogRecords } from './request-log-contract.ts'
import type { ResponseRecords } from './response-contract.ts'
import type { SealedRecords } from './sealed-contract.ts'
import type { SecretRecords } from './secret-contract.ts'
import type { SettingRecords } from './setting-contract.ts'
import type { ChallengeRecords, IdentityRecords, PasskeyRecords, SecondFactorRecords } from './sign-in-contract.ts'
import type { SuspendedThing, SuspensionRecords } from './suspension-contract.ts'
import type { InvitationRecords, TeamRecords } from './team-contract.ts'
import type { UpstreamRecords, UpstreamUseRecords } from './upstream-contract.ts'
import type { WebhookRecords } from './webhook-contract.ts'

export type KeyRecord = {
  id: string
  organisationId: string
  name: string
  /** The start and the end of the secret: enough to recognise it, too little to guess it. */
  prefix: string
  lastFour: string
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  /** The account that created it; null if it was created on the command line, or the account was deleted. */
  createdBy: string | null
  /** What it permits. `manage` and `metrics` stand alone: such a key cannot call the model. */
  scopes: readonly AccessScope[]
  /** Null: all of them. */
  models: readonly string[] | null
  /** The addresses and networks (CIDR) it may be used from; null: all. */
  networks: readonly string[] | null
  limits: Limits
  /** To within a minute. */
  lastUsedAt: number | null
  /** Until this time, the secret from before the last rotation also works. */
  previousUntil: number | null
  /** When the server's owner suspended it; null: not suspended. */
  suspendedAt: number | null
  /** When a member paused it; null: not paused. Independent of a suspension: either stops the key. */
  pausedAt: number | null
}

export const accessScopes = ['chat', 'models', 'completions.read', 'completions.write', 'manage', 'metrics'] as const
export type AccessScope = (typeof accessScopes)[number]

/** Which of its secrets matched, and what is suspended: the key, the account that created it, or its organisation. */
export type FoundKey = {
  record: KeyRecord
  secret: 'current' | 'previous'
  suspended: SuspendedThing | null
  /** See `CompletionCaller`. */
  ownerId: string
}

export type RotatedSecret = { secretHash: Uint8Array; prefix: string; lastFour: string; previousUntil: number | null }

/** Whose keys. Only the command line may use `all`. */
export type KeyScope = { organisationId: string } | 'all'

export type RevokeOutcome = 'revoked' | 'already_revoked' | 'not_found'

export type KeyChanges = Partial<
  Pick<KeyRecord, 'name' | 'scopes' | 'limits' | 'models' | 'networks' | 'expiresAt' | 'pausedAt'>
>

export type KeyChanged =
  | { outcome: 'changed'; record: KeyRecord }
  | { outcome: 'limits_changed' }
  | { outcome: 'not_found' }

export interface KeyRecords {
  /** The hash is stored with the record and never returned. */
  insert(record: KeyRecord, secretHash: Uint8Array, ...events: AuditEvent[]): Promise<void>
  /** Also finds keys by the secret from before the last rotation, even after its grace period. */
  findByHash(secretHash: Uint8Array): Promise<FoundKey | null>
  /** In the order in which they were created. */
  list(scope: KeyScope): Promise<KeyRecord[]>
  find(scope: KeyScope, id: string): Promise<KeyRecord | null>
  /** Only the first revocation has an effect. */
  revoke(scope: KeyScope, id: string, revokedAt: number, ...events: AuditEvent[]): Promise<RevokeOutcome>
  /**
   * The current secret becomes the previous one; an older one becomes invalid. Null if there is no such key or it is
   * revoked.
   */
  rotate(scope: KeyScope, id: string, secret: RotatedSecret, ...events: AuditEvent[]): Promise<KeyRecord | null>
  /** Changes nothing if the limits are no longer what they `were`; null skips that check. */
  change(
    scope: KeyScope,
    id: string,
    changes: KeyChanges,
    were: Limits | null,
    ...events: AuditEvent[]
  ): Promise<KeyChanged>
  /** Sets when each was last used; the time never moves backwards. */
  touch(used: readonly { id: string; lastUsedAt: number }[]): Promise<void>
}

export type Metadata = Record<string, string>

/** A completion that its caller asked to store, with its messages. */
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

/** Lists omit the messages, which can be long. */
export type ListedCompletion = Omit<StoredCompletion, 'messages'>

export type CompletionFilter = {
  model: string | null
  /** All of these pairs must be present. */
  metadata: Metadata
  /** The id of the last one seen: the page starts after it. */
  after: string | null
  limit: number
  order: 'asc' | 'desc'
}

export type CompletionPage = { items: ListedCompletion[]; hasMore: boolean }

/** Every call names the organisation: completions of others do not exist for it. */
export interface CompletionRecords {
  insert(record: StoredCompletion): Promise<void>
  find(organisationId: string, id: string): Promise<StoredCompletion | null>
  /**
   * By `createdAt`, then in the order of insertion. A page of long completions may have fewer than `limit` although
   * there are more. The cursor is unknown if its completion does not exist (any more).
   */
  list(organisationId: string, filter: CompletionFilter): Promise<CompletionPage | 'unknown_cursor'>
  /** Null if there is no such completion. */
  setMetadata(organisationId: string, id: string, metadata: Metadata | null): Promise<StoredCompletion | null>
  /** False if there was nothing to remove. */
  remove(organisationId: string, id: string): Promise<boolean>
}

export type LimitsSet = 'set' | 'limits_changed' | 'not_found'

export type GivenLimits = {
  limits: OrganisationLimits
  /** The organisation of the server's owner: the defaults for new organisations do not apply to it. */
  isServerOrganisation: boolean
}

interface OrganisationRecords {
  /** The one created at the first start. An open store always has it. */
  first(): Promise<OrganisationRecord>
  /** In the order in which they were created. */
  list(): Promise<(OrganisationRecord & GivenLimits)[]>
  /** Null if there is no such organisation. */
  limits(id: string): Promise<GivenLimits | null>
  /** Changes nothing if the limits are no longer what they `were`; null skips that check. */
  setLimits(
    id: string,
    limits: OrganisationLimits,
    were: OrganisationLimits | null,
    ...events: AuditEvent[]
  ): Promise<LimitsSet>
}

/**
 * The database as the rest of the program sees it: records in, records out, always a promise. It promises that a
 * resolved write survives a crash, and that a call sees the effect of every call that was resolved before it was made.
 * Calls that are made at the same time may take effect in any order. Times are milliseconds since 1970.
 *
 *     const { id: organisationId } = await store.organisations.first()
 *     await store.completions.insert({ ...completion, organisationId })
 *     const found = await store.completions.find(organisationId, completion.id)
 *     const foundByOthers = await store.completions.find('org_other', completion.id) // null
 */
export interface Store {
  readonly keys: KeyRecords
  readonly callers: CallerRecords
  readonly organisations: OrganisationRecords
  readonly completions: CompletionRecords
  readonly upstreams: UpstreamRecords
  readonly upstreamUse: UpstreamUseRecords
  readonly responses: ResponseRecords
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
  readonly cache: CacheRecords
  readonly playground: PlaygroundRecords
  readonly conversations: ConversationRecords
  readonly hiddenNotices: HiddenNoticeRecords
  readonly webhooks: WebhookRecords
  readonly settings: SettingRecords
  readonly sealed: SealedRecords
  /** The servers that share the database; null if one uses it alone. */
  readonly nodes: NodeRecords | null
  /** Which of those servers executes the request for an idempotency key; null if one uses the database alone. */
  readonly claims: Claims | null
  /** Null if the secrets are stored beside their key. */
  readonly secret: SecretRecords | null
  /** Resolves, with a line for the operator, if the store fails for good without having been closed. */
  readonly failed: Promise<Error>
  /** Checks with a real write that the store accepts writes. */
  ping(): Promise<void>
  /** What the clock of the database says, in milliseconds since 1970; null if it is the clock of this machine. */
  time(): Promise<number | null>
  /** Writes a complete copy to a new file while the store keeps working, with items that are not in the database. */
  backUp(file: string, items?: readonly BackupItem[]): Promise<void>
  /** Finishes earlier calls, then closes the database. Later calls are rejected. */
  close(): Promise<void>
}
