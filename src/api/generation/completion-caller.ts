import type { EngineCaller } from '../../engine/contract.ts'
import type { KeyRecord } from '../../store/contract.ts'
import type { RequestTrace } from '../../traces/request-trace.ts'

/**
 * Who requests a completion: an API key, or a member in the playground (no key). `ownerId` is the account that owns the
 * organisation, or the organisation itself if it has no owner. Where callers compete, the organisations of one owner
 * share one part.
 */
export type CompletionCaller = { organisationId: string; ownerId: string; key: KeyRecord | null }

export const toEngineCaller = (
  { organisationId, ownerId }: Pick<CompletionCaller, 'organisationId' | 'ownerId'>,
  trace: RequestTrace | null,
): EngineCaller => ({ cacheScope: organisationId, ownerId, ...(trace === null ? {} : { trace }) })
