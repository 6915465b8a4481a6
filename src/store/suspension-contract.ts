import type { AuditEvent } from './audit-contract.ts'
import type { OrganisationRecord } from './organisation-record.ts'

/** What the server's owner can suspend and resume. Nothing is lost in the meantime. */
export type SuspendedThing = 'account' | 'organisation' | 'key'

export type SuspensionOutcome =
  /** `keyIds`: keys whose cached callers are out of date. `changed`: the state is different from before. */
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
  /** In the order in which they were created. */
  organisations(): Promise<ListedOrganisation[]>
}
