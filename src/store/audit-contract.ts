import type { AuditAction } from './audit-actions.ts'

/**
 * Who did what to whom, from where. Events are written in the transaction of what they tell of, are never changed, and
 * hold no secret. Whom they name stands apart from them: when an account is deleted its name and addresses go, and the
 * events stay.
 */
export const actorKinds = ['account', 'key', 'command_line', 'visitor', 'server'] as const
type ActorKind = (typeof actorKinds)[number]

export type AuditActor = {
  kind: ActorKind
  /** Of the account or key; null for the others. */
  id: string | null
  /** As people know it: the email of an account, the name of a key. */
  name: string | null
  /** Where the request came from. */
  address: string | null
}

export const targetKinds = ['account', 'key', 'organisation', 'invitation', 'session', 'link'] as const
type TargetKind = (typeof targetKinds)[number]

export type Target = { kind: TargetKind; id: string | null; name: string | null }

/** Small facts: from and to, counts, names. No secrets, no emails. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>

export type AuditEvent = {
  /** Milliseconds since 1970. */
  at: number
  /** In whose audit it stands; null for what concerns a person or the server alone. */
  organisationId: string | null
  actor: AuditActor
  action: AuditAction
  target: Target | null
  details: AuditDetails
}

export type RecordedEvent = AuditEvent & {
  /** Stands for its place in the list. */
  cursor: string
}

export type AuditFilter = {
  /** Null: everybody's, and the server's own. */
  organisationId: string | null
  /** An id, or a part of a name. */
  actor: string | null
  target: string | null
  /** One action, or the word before the dot for all of that kind. */
  action: string | null
  /** Inclusive. */
  from: number | null
  /** Exclusive. */
  until: number | null
  /** The page begins behind it. */
  before: string | null
  limit: number
}

export interface AuditRecords {
  /** For what changes nothing else in the store. */
  record(event: AuditEvent): Promise<void>
  /** Newest first. */
  list(filter: AuditFilter): Promise<{ items: RecordedEvent[]; hasMore: boolean }>
  /** Removes events from before; returns how many. */
  prune(before: number, limit: number): Promise<number>
}
