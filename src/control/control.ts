import type { KeyRegistry } from '../keys/key-registry.ts'
import type { RevokeOutcome } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import type { SuspendedThing } from '../store/suspension-contract.ts'
import type { UsageGroup } from '../usage/summarise.ts'
import type { LimitsShown } from './control-limits.ts'
import type { OrganisationJson, SuspensionShown } from './control-suspensions.ts'
import type { UsageShown, UsageVerified } from './control-usage.ts'
import type { KeyJson } from './key-json.ts'

type NewKey = Parameters<KeyRegistry['create']>[0]

type UsageQuestion = { from?: string; to?: string; by?: UsageGroup }

/**
 * What the command line can do to a service: through the socket of a running server, or on the store when none runs. The
 * answers are the same either way. A KEY is the id of a key, or its name where no other has it.
 */
export interface Control {
  createKey(wanted: Omit<NewKey, 'organisationId' | 'createdBy'>): Promise<KeyJson & { key: string }>
  listKeys(): Promise<{ data: KeyJson[] }>
  revokeKey(key: string): Promise<{ id: string; outcome: RevokeOutcome }>
  rotateKey(key: string, rotation: { graceMs: number }): Promise<KeyJson & { key: string }>
  /** `subject` is a KEY or the id of an organisation. */
  showLimits(subject: string): Promise<LimitsShown>
  setLimits(subject: string, limits: Partial<Limits>): Promise<LimitsShown>
  listOrganisations(): Promise<{ data: OrganisationJson[] }>
  /** `subject` is the email of an account, the id of an organisation, or a KEY. */
  suspend(thing: SuspendedThing, subject: string): Promise<SuspensionShown>
  resume(thing: SuspendedThing, subject: string): Promise<SuspensionShown>
  showUsage(question: UsageQuestion): Promise<UsageShown>
  verifyUsage(): Promise<UsageVerified>
}
