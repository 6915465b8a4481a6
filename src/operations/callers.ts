import type { KeyRecord } from '../store/contract.ts'
import type { Role } from '../store/team-contract.ts'

/** The key that a request was sent with, and the organisation that it counts for. */
export type KeyCaller = { keyId: string; organisationId: string; ownerId: string; key: KeyRecord }

/** A person who is signed in. */
export type Person = {
  accountId: string
  sessionId: string
  /** The owner of the server. */
  isOwner: boolean
  /** Whether the session was opened with more than a password. */
  hasSecondFactor: boolean
  /** When they last confirmed their identity in it. */
  confirmedAt: number
}

/** A person who is signed in, and the organisation they act for. */
export type Member = Person & { organisationId: string; ownerId: string; role: Role }

/** Another node of the cluster, and the organisation for which it asks. */
export type NodeCaller = { nodeId: string; organisationId: string; ownerId: string }
