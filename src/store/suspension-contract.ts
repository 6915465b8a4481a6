import type { AuditEvent } from './audit-contract.ts'
import type { OrganisationRecord } from './organisation-record.ts'

/** What the owner of the server can keep from being used, and let go again. Nothing of it is lost meanwhile. */
export const suspendedThings = ['account', 'organisation', 'key'] as const
export type SuspendedThing = (typeof suspendedThings)[number]

export type SuspensionOutcome =
  /** `keyIds`: keys whose callers are to be asked for anew. `changed`: it was not so before. */
  | { outcome: 'done'; changed: boolean; keyIds: string[] }
  /** `owner`: the account of the server's owner. */
  | { outcome: 'not_found' | 'owner' }

export type ListedOrganisation = OrganisationRecord & {
  suspendedAt: number | null
  members: number
  /** Those that are not revoked. */
  keys: number
}

export interface SuspensionRecords {
  /** `at`: null ends it. */
  set(thing: SuspendedThing, id: string, at: number | null, event: AuditEvent): Promise<SuspensionOutcome>
  /** In the order in which they were made. */
  organisations(): Promise<ListedOrganisation[]>
}
