import type { AuditAction } from './audit-actions.ts'

/**
 * The audit log: who did what to which target, from where. Events are written in the transaction of the change they
 * describe, are never changed and contain no secrets. Actors and targets are stored separately: when an account is
 * deleted, its name and addresses are removed and the events stay.
 */
export const actorKinds = ['account', 'key', 'command_line', 'visitor', 'server'] as const
type ActorKind = (typeof actorKinds)[number]

export type AuditActor = {
  kind: ActorKind
  /** The id of the account or key; null for other kinds. */
  id: string | null
  /** The name people know: the email of an account, the name of a key. */
  name: string | null
  /** Where the request came from. */
  address: string | null
}

export const targetKinds = [
  'account',
  'key',
  'organisation',
  'invitation',
  'session',
  'link',
  'upstream',
  'webhook',
  'model',
  'setting',
] as const
type TargetKind = (typeof targetKinds)[number]

export type Target = { kind: TargetKind; id: string | null; name: string | null }

/** Details such as old and new values, counts and names. No secrets, no emails. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>

export type AuditEvent = {
  /** Milliseconds since 1970. */
  at: number
  /** The organisation whose audit log it belongs to; null if it concerns an account or the server only. */
  organisationId: string | null
  actor: AuditActor
  action: AuditAction
  target: Target | null
  details: AuditDetails
}

export type RecordedEvent = AuditEvent & {
  /** Its position in the list. */
  cursor: string
}

/** In the order in which events were recorded. */
export type NumberedEvent = RecordedEvent & { sequence: number }

export type AuditFilter = {
  /** Null: all organisations and the server itself. */
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
  /** The page starts after it. */
  before: string | null
  limit: number
}

export interface AuditRecords {
  /** For events that change nothing else in the store. */
  record(event: AuditEvent): Promise<void>
  /** Newest first. */
  list(filter: AuditFilter): Promise<{ items: RecordedEvent[]; hasMore: boolean }>
  /**
   * Those with a higher number, lowest first. A number may appear late, because its transaction ended after that of the next.
   */
  since(sequence: number, limit: number): Promise<NumberedEvent[]>
  /** Removes events before this time; returns how many. */
  prune(before: number, limit: number): Promise<number>
}
