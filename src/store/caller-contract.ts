import type { SuspendedThing } from './suspension-contract.ts'

/** An account that acts for an organisation. */
export type ActingMember = { accountId: string; organisationId: string }

/** Whether a key may be used; a key that does not exist any more is not returned. */
export type KeyValidity = {
  id: string
  /** The prefix of its current secret. */
  prefix: string
  lastFour: string
  revokedAt: number | null
  pausedAt: number | null
  /** Until this time, the secret from before the last rotation also works. */
  previousUntil: number | null
  suspended: SuspendedThing | null
}

/** Whether a member may act; one who was removed is not returned. */
export type MemberValidity = ActingMember & { suspended: 'account' | 'organisation' | null }

/** Whether callers with running requests are still allowed to make them, for nodes to check again. */
export interface CallerRecords {
  keys(ids: readonly string[]): Promise<KeyValidity[]>
  members(members: readonly ActingMember[]): Promise<MemberValidity[]>
}
