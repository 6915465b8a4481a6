import type { KeyRecord } from '../../store/contract.ts'

/** Who requests a completion: an API key, or a member in the playground (no key). */
export type CompletionCaller = { organisationId: string; key: KeyRecord | null }
