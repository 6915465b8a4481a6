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
