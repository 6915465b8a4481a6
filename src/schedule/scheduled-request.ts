import type { RequestSize, TokenCounts } from './token-cost.ts'
import { maxPauseMs, turnMs, weightedTurnCost } from './turn.ts'
import type { Waiter } from './waiting-lists.ts'

/** Ids increase: the newest request has the highest. `weight`: that of its organisation. */
export type Arrival = {
  id: number
  ownerId: string
  weight: number
  size: RequestSize
  /** Its answer can be paused between two tokens. */
  canPause?: boolean
}

/** What the scheduler decides about a request. */
export type Decision =
  /** It gets a slot, or one more. */
  | { type: 'start'; id: number }
  /** It gives up a slot, and waits for another one. */
  | { type: 'pause'; id: number }
  | { type: 'refuse'; id: number; error: 'queue_full' | 'queue_timeout'; retryAfterMs: number }

/** Where a request stands. It may have several slots, one for each choice that runs at once. docs/limits.md draws it. */
export type RequestState =
  /** It waits for its first slot. The time limit and the queue limit apply. */
  | 'queued'
  /** It has at least one slot; it may wait for others that were paused. */
  | 'running'
  /** Others have all of its slots, and it waits for them. No limit applies any more. */
  | 'paused'
  /** Nobody reads its answer: it has no slot, and waits for none. */
  | 'suspended'
  /** It has no slot, and will have none. */
  | 'ended'

/** What a request has of a slot: the slot itself, a wait for one, or one that it has given up without a wait. */
type SlotState = 'held' | 'awaited' | 'suspended'

/** Each token of expected cost delays a request's nominal arrival by this much … */
const delayMsPerCost = 5
/** … up to this share of its time limit, so that shorter requests cannot delay it until it is refused. */
const maxDelayShare = 1 / 4

/** What the scheduler knows of a request. */
export class ScheduledRequest implements Waiter {
  readonly id: number
  readonly ownerId: string
  readonly weight: number
  readonly choices: number
  readonly canPause: boolean
  readonly #counts: Record<SlotState, number> = { held: 0, awaited: 0, suspended: 0 }
  /** It stays so, even if it waits again. */
  hasStarted = false
  order: number
  expectedCost: number
  /** Since when it waits again. */
  pausedAtMs: number
  turn: { startedMs: number; startCost: number }
  chargedCost = 0
  tokens: TokenCounts
  /** The cost that the engine has completed; null until the engine has read the prompt. */
  workedOffCost: number | null = null

  constructor(
    { id, ownerId, weight, size, canPause = false }: Arrival,
    expectedCost: number,
    { nowMs, queueTimeoutMs }: { nowMs: number; queueTimeoutMs: number },
  ) {
    this.id = id
    this.ownerId = ownerId
    this.weight = weight
    this.choices = size.choices
    this.canPause = canPause
    this.order = nowMs + Math.min(expectedCost * delayMsPerCost, queueTimeoutMs * maxDelayShare)
    this.expectedCost = expectedCost
    this.pausedAtMs = nowMs
    this.turn = { startedMs: nowMs, startCost: 0 }
    this.tokens = { promptTokens: size.promptTokens, cachedTokens: 0, completionTokens: 0 }
  }

  get state(): RequestState {
    const { held, awaited, suspended } = this.#counts
    if (held > 0) return 'running'
    if (awaited > 0) return this.hasStarted ? 'paused' : 'queued'
    return suspended > 0 ? 'suspended' : 'ended'
  }

  /** Those of its slots that are in this state. */
  count(state: SlotState): number {
    return this.#counts[state]
  }

  /** One of its slots changes from one state to another; null: it has not been there before, or ends. */
  move(from: SlotState | null, to: SlotState | null): void {
    if (from !== null) this.#counts[from] -= 1
    if (to !== null) this.#counts[to] += 1
  }

  /** Others may have a slot of it. */
  isTurnOver(nowMs: number): boolean {
    const { held } = this.#counts
    if (!this.canPause || held === 0) return false
    const cost = (this.workedOffCost ?? 0) - this.turn.startCost
    return nowMs - this.turn.startedMs >= turnMs || cost >= held * weightedTurnCost(this.weight)
  }

  isPausedLong(nowMs: number): boolean {
    return this.hasStarted && nowMs - this.pausedAtMs >= maxPauseMs
  }
}
