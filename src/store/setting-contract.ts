import type { AuditEvent } from './audit-contract.ts'

/** A setting that was changed in the console. */
export type SettingRecord = {
  name: string
  /** JSON text; null for a secret. */
  value: string | null
  /** JSON text encrypted with a key that is not in the database; null unless it is a secret. */
  sealedValue: string | null
  changedAt: number
}

export interface SettingRecords {
  /** By name. */
  list(): Promise<SettingRecord[]>
  /** Writes these and removes others by name, all at once and with their events in the audit log. */
  save(written: readonly SettingRecord[], removed: readonly string[], events: readonly AuditEvent[]): Promise<void>
}
