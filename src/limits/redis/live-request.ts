import { serverId } from '../entity-limits.ts'

/**
 * A request of this node, from its precheck to the moment at which the ledger has it.
 *
 *     precheck ─→ waiting ──┐                ┌─→ ended ─→ written (no longer kept)
 *          └───→ entering ──┴─→ running ─────┤
 *                   │              ↑         └─→ released: nothing of it is in the ledger
 *                   └→ released    └── admitted without a precheck
 */
type RequestState =
  /** It has passed the precheck at this node alone. Redis does not know it. */
  | 'waiting'
  /** It has passed the precheck, and Redis counts it as entering. */
  | 'entering'
  /** Admitted: what it may use is reserved. */
  | 'running'
  /** It has used so many tokens, and the ledger has not acknowledged them yet. */
  | 'ended'

/** A request that this node has registered in Redis, or will once Redis has returned. */
export type LiveRequest = {
  state: RequestState
  /** Reserved, or used if it has ended. */
  tokens: number
  micros: number
  /** The day on which it was decided about, or on which it has ended: 20261115. */
  day: number
  organisationId: string
  keyId: string | null
  /** On the clock of the windows: when it was admitted. */
  beganAtMs: number
  /** It was waiting before it was admitted, so its end may be sent a little later. */
  isFarFromLimits: boolean
}

/** As the scripts and nodes of other versions read it. */
const stateLetters = { entering: 'e', running: 'r', ended: 'u' } as const

/** As it is registered. Null: Redis does not get to know it in this state. */
export const packRequest = (request: Omit<LiveRequest, 'beganAtMs' | 'isFarFromLimits'>): string | null => {
  const { state, tokens, micros, day, organisationId, keyId } = request
  if (state === 'waiting') return null
  return `${stateLetters[state]} ${tokens} ${micros} ${day} ${organisationId} ${keyId ?? ''}`
}

/** The ids of the entities that it counts for. */
export const entityIds = ({ organisationId, keyId }: Pick<LiveRequest, 'organisationId' | 'keyId'>): string[] =>
  keyId === null ? [organisationId, serverId] : [keyId, organisationId, serverId]
