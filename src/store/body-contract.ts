import type { AuditEvent } from './audit-contract.ts'
import type { Acting, RenameOutcome } from './team-contract.ts'

/**
 * Prompts and answers, verbatim, of organisations that have switched storing on. They are separate from the ledger and
 * its totals. When an organisation switches storing off, all of them are deleted, including those not yet written.
 */

/** The retention periods an organisation can choose, in days. */
export const bodyDays = [1, 7, 30] as const
export type BodyDays = (typeof bodyDays)[number]

/** `isCut`: it was longer, and only the beginning is stored. */
export type StoredText = { text: string; isCut: boolean }

export type StoredBodies = {
  requestId: string
  organisationId: string
  /** The body of the request, as JSON. */
  request: StoredText
  /** The choices as far as they were sent, as JSON; null if nothing was sent. */
  answer: StoredText | null
  /** Milliseconds since 1970. */
  createdAt: number
}

export type BodyDaysOutcome = { outcome: 'changed' } | Exclude<RenameOutcome, { outcome: 'renamed' }>

export interface BodyRecords {
  /** Organisations that store them. */
  keeping(): Promise<string[]>
  /** Null: they are not stored. */
  days(organisationId: string): Promise<BodyDays | null>
  setDays(by: Acting, days: BodyDays | null, event: AuditEvent): Promise<BodyDaysOutcome>
  /** Stores those of organisations that store them at this moment. If there are too many, the oldest are removed. */
  keep(bodies: readonly StoredBodies[]): Promise<void>
  find(organisationId: string, requestId: string, now: number): Promise<StoredBodies | null>
  /** Permanently removes a few that have expired or are no longer to be stored; returns how many. 0: none is left. */
  removeExpired(now: number): Promise<number>
  /** The same for one organisation that has switched storing off. */
  removeUnwanted(organisationId: string): Promise<number>
}
