import type { AuditEvent } from './audit-contract.ts'

/** An upstream that was added while the server runs, or what was changed about one of the settings. */
export type UpstreamRecord = {
  name: string
  /** JSON text of what was set, without the key. Null: the settings define it. */
  definition: string | null
  /** Encrypted with a key that is not in the database; null if there is none. */
  sealedKey: string | null
  isDraining: boolean
  createdAt: number
}

/** All changes are in the audit log. */
export interface UpstreamRecords {
  /** In the order in which they were added. */
  list(): Promise<UpstreamRecord[]>
  /** False if there is one of this name. */
  insert(record: UpstreamRecord, event: AuditEvent): Promise<boolean>
  /** Replaces what was set and the key. False if none of this name was added. */
  update(record: Pick<UpstreamRecord, 'name' | 'definition' | 'sealedKey'>, event: AuditEvent): Promise<boolean>
  /** False if that is its state already. An upstream of the settings gets a record if it has none. */
  setDraining(name: string, isDraining: boolean, event: AuditEvent): Promise<boolean>
  /** False if there is none of this name. */
  remove(name: string, event: AuditEvent): Promise<boolean>
}

/** Sums over the requests of one upstream with one model. */
export type UpstreamUseTotals = {
  /** Requests that it was sent, and those among them that it failed. */
  requests: number
  errors: number
  /** Requests whose first token was timed, and how long these took. */
  firstTokens: number
  firstTokenMs: number
  /** Tokens after the first, and how long they took. */
  timedTokens: number
  timedMs: number
  promptTokens: number
  completionTokens: number
  costMicros: number
}

/** `hour`: hours since 1970. */
export type UpstreamUse = UpstreamUseTotals & { hour: number; upstream: string; model: string }

/** `slot`: the number of a part of the period, from 0. */
export type UpstreamUseSlot = UpstreamUseTotals & { slot: number; upstream: string; model: string }

/** Figures for the operator: what upstreams did by the hour. They are kept for a month, whatever the ledger keeps. */
export interface UpstreamUseRecords {
  /** Adds to the hours that there are. All of it, or nothing. */
  add(uses: readonly UpstreamUse[]): Promise<void>
  /**
   * The hours from `fromHour` to `toHour`, both included, summed by parts of `hoursPerSlot`. Those of the upstreams and models with
   * the first names if there are more than `limit` rows.
   */
  list(filter: { fromHour: number; toHour: number; hoursPerSlot: number; limit: number }): Promise<UpstreamUseSlot[]>
  /** Removes the oldest hour before this one; returns how many rows that were. 0: none is left. */
  prune(beforeHour: number): Promise<number>
}
