import type { AuditEvent } from './audit-contract.ts'
import type { Acting, RenameOutcome } from './team-contract.ts'

/**
 * What was asked and answered, word for word, of organisations that switched this on. It lives apart from the ledger and is
 * in no total; an organisation that switched it off has none, whatever was on its way.
 */

/** For how many days an organisation can have them kept. */
export const bodyDays = [1, 7, 30] as const
export type BodyDays = (typeof bodyDays)[number]

/** Cut: it was longer, and only its beginning was kept. */
export type StoredText = { text: string; isCut: boolean }

export type StoredBodies = {
  requestId: string
  organisationId: string
  /** The body of the request, as JSON. */
  request: StoredText
  /** The choices as far as they were sent, as JSON; null where none was. */
  answer: StoredText | null
  /** Milliseconds since 1970. */
  createdAt: number
}

export type BodyDaysOutcome = { outcome: 'changed' } | Exclude<RenameOutcome, { outcome: 'renamed' }>

export interface BodyRecords {
  /** Organisations that have them kept. */
  keeping(): Promise<string[]>
  /** Null: none are kept. */
  days(organisationId: string): Promise<BodyDays | null>
  setDays(by: Acting, days: BodyDays | null, event: AuditEvent): Promise<BodyDaysOutcome>
  /** Of organisations that have them kept at this moment; where there are too many, the oldest make room. */
  keep(bodies: readonly StoredBodies[]): Promise<void>
  find(organisationId: string, requestId: string, now: number): Promise<StoredBodies | null>
  /** Removes a few whose time is over or that nobody wants kept any more, for good; returns how many. 0: none is left. */
  removeExpired(now: number): Promise<number>
  /** The same for one organisation that switched it off. */
  removeUnwanted(organisationId: string): Promise<number>
}
