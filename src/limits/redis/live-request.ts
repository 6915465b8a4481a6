import { serverId } from '../entity-limits.ts'

/** A request that this node has registered in Redis, or will once Redis has returned. */
export type LiveRequest = {
  /** Entering, running, or ended and not written to the ledger yet. */
  state: 'e' | 'r' | 'u'
  /** Reserved, or used if it has ended. */
  tokens: number
  micros: number
  /** The day on which it was decided about, or on which it has ended: 20261115. */
  day: number
  organisationId: string
  keyId: string | null
  /** On the clock of the windows: when it was admitted. */
  beganAtMs: number
  /** It has passed the precheck at this node alone, so Redis does not know it. */
  isUnregistered?: true
  /** It has passed the precheck at this node alone, and is admitted now. */
  isFarFromLimits?: true
}

/** As the scripts read it. */
export const packRequest = ({ state, tokens, micros, day, organisationId, keyId }: LiveRequest): string =>
  `${state} ${tokens} ${micros} ${day} ${organisationId} ${keyId ?? ''}`

/** Those for which it counts. */
export const idsOf = ({ organisationId, keyId }: Pick<LiveRequest, 'organisationId' | 'keyId'>): string[] =>
  keyId === null ? [organisationId, serverId] : [keyId, organisationId, serverId]
