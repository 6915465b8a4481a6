import type { EngineCaller } from '../../engine/contract.ts'
import type { KeyRecord } from '../../store/contract.ts'

/**
 * Who requests a completion: an API key, or a member in the playground (no key). `ownerId`: the account that owns the
 * organisation, or the organisation itself while nobody does. The organisations of one owner have one share of what callers
 * compete for.
 */
export type CompletionCaller = { organisationId: string; ownerId: string; key: KeyRecord | null }

export const engineCallerOf = ({
  organisationId,
  ownerId,
}: Pick<CompletionCaller, 'organisationId' | 'ownerId'>): EngineCaller => ({ cacheScope: organisationId, ownerId })
