import type { LanguageCode } from '../../languages/language.ts'
import type { AuditEvent } from './audit-contract.ts'

/** Whose endpoints and events: an organisation's, or the server's own (null). Those of others do not exist for a call. */
export type WebhookScope = string | null

export const webhookChannels = ['webhook', 'mail'] as const
type WebhookChannel = (typeof webhookChannels)[number]

/** What is told of events: a URL, or by mail the owners and admins of the organisation (the owners of the server). */
export type EndpointRecord = {
  id: string
  organisationId: WebhookScope
  channel: WebhookChannel
  /** Null for mail. */
  url: string | null
  description: string
  /** The types of events that it is told of. */
  events: readonly string[]
  /** Encrypted; null for mail. */
  sealedSecret: string | null
  /** The secret from before the last rotation, until `previousUntil`. */
  sealedPrevious: string | null
  previousUntil: number | null
  isEnabled: boolean
  createdAt: number
}

export type EndpointChanges = Partial<
  Pick<
    EndpointRecord,
    'url' | 'description' | 'events' | 'isEnabled' | 'sealedSecret' | 'sealedPrevious' | 'previousUntil'
  >
>

/** docs/webhooks.md draws the changes. */
export type DeliveryState =
  /** It waits for its next attempt. */
  | 'pending'
  /** A node attempts it, until its lease ends. */
  | 'sending'
  /** The endpoint has accepted it. */
  | 'delivered'
  /** It is given up. */
  | 'failed'

export type WebhookEvent = {
  id: string
  organisationId: WebhookScope
  type: string
  /** JSON text of an object. */
  data: string
  createdAt: number
}

/**
 * What an event is about. While the name is held, raising the same event again only holds it for longer: this is what makes one
 * event of what several nodes notice, or one node notices again and again.
 */
export type Occurrence = { name: string; until: number }

export type DeliveryRecord = {
  id: string
  endpointId: string
  event: WebhookEvent
  state: DeliveryState
  attempts: number
  /** When it is attempted next; null if it is not. */
  dueAt: number | null
  createdAt: number
  attemptedAt: number | null
  /** Of the last answer; null if there was none. */
  status: number | null
  /** A short code of ours for the last failure; null if there was none. */
  error: string | null
  durationMs: number | null
}

/** A delivery that this node has to attempt. */
export type DueDelivery = {
  id: string
  /** Which attempt this is: 1 for the first. */
  attempt: number
  event: WebhookEvent
  endpoint: EndpointRecord
  /** Null for the server's own. */
  organisationName: string | null
  /** Of a mail. */
  recipient: { email: string; language: LanguageCode } | null
}

export type AttemptRecord = {
  state: 'pending' | 'delivered' | 'failed'
  /** When it is attempted again; null unless it is pending. */
  dueAt: number | null
  status: number | null
  error: string | null
  durationMs: number
}

/** A network, and when somebody last signed in from it, in milliseconds since 1970. */
export type SignInPlace = { place: string; seenAt: number }

export type DeliveryPlace = Pick<DeliveryRecord, 'createdAt' | 'id'>

/** The most deliveries of an endpoint that wait. Further ones fail at once. */
export const maxPendingDeliveries = 1000
/** The most people who get a mail about an event. */
export const maxMailRecipients = 50

export interface WebhookRecords {
  /** In the order in which they were created. */
  list(scope: WebhookScope): Promise<EndpointRecord[]>
  find(scope: WebhookScope, id: string): Promise<EndpointRecord | null>
  /** False if there are `max` already, or the organisation does not exist. */
  insert(record: EndpointRecord, max: number, ...events: AuditEvent[]): Promise<boolean>
  /** Null if there is no such endpoint. What waits for one that is disabled fails. */
  change(
    scope: WebhookScope,
    id: string,
    changes: EndpointChanges,
    ...events: AuditEvent[]
  ): Promise<EndpointRecord | null>
  /** False if there is no such endpoint. Its deliveries are removed with it. */
  remove(scope: WebhookScope, id: string, ...events: AuditEvent[]): Promise<boolean>
  /** The organisations that have enabled endpoints, in the order of their ids, after one. */
  subscribers(after: string | null, limit: number): Promise<string[]>
  /**
   * Stores an event with a delivery for every endpoint that is told of its type. Of all callers that name the same occurrence while
   * it is held, exactly one gets true. Without such an endpoint nothing is stored.
   */
  raise(event: WebhookEvent, occurrence: Occurrence): Promise<boolean>
  /** Stores an event for one endpoint alone, whatever it is told of. Null if there is no such endpoint or it is disabled. */
  send(scope: WebhookScope, endpointId: string, event: WebhookEvent): Promise<DeliveryRecord | null>
  /** When the next attempt is due; null if none is. */
  nextDueAt(): Promise<number | null>
  /**
   * Reserves deliveries that are due for this node, one of each endpoint, until its lease ends. If it has not recorded the attempt
   * by then, they are due again.
   */
  claim(now: number, leaseUntil: number, limit: number): Promise<DueDelivery[]>
  /** False if the lease had ended and another node has attempted it since, or it was removed. */
  record(delivery: Pick<DueDelivery, 'id' | 'attempt'>, attempt: AttemptRecord): Promise<boolean>
  /** Newest first, after a place. */
  deliveries(
    scope: WebhookScope,
    endpointId: string,
    after: DeliveryPlace | null,
    limit: number,
  ): Promise<DeliveryRecord[]>
  /** Attempts a delivery again, with the id of its event, at once. Null if there is none, it is being sent, or its endpoint is disabled. */
  replay(scope: WebhookScope, endpointId: string, id: string, now: number): Promise<DeliveryRecord | null>
  /** Removes events from before this time with their deliveries, occurrences that have ended, and places not seen for long. */
  prune(before: { events: number; occurrences: number; places: number }, limit: number): Promise<number>
  /** Remembers where somebody signed in from. `first`: there was no other place before. */
  rememberPlace(accountId: string, place: string, now: number): Promise<'first' | 'known' | 'new'>
  /** Where somebody signed in from, the latest first. */
  listPlaces(accountId: string): Promise<SignInPlace[]>
}
