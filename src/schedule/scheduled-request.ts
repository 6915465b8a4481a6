import type { RequestSize, TokenCounts } from './token-cost.ts'
import { maxPauseMs, turnCostOf, turnMs } from './turn.ts'
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

/** What the scheduler knows of a request. */
export type Request = Waiter & {
  readonly choices: number
  readonly canPause: boolean
  /** From then on the time limit and the queue limit no longer apply, even if it waits again. */
  hasStarted: boolean
  order: number
  expectedCost: number
  slots: number
  /** How many slots it waits for: one, or those of its choices that were paused. */
  waits: number
  /** How many slots it has given up, without waiting for others. */
  suspended: number
  /** Since when it waits again. */
  pausedAtMs: number
  turn: { startedMs: number; startCost: number }
  chargedCost: number
  tokens: TokenCounts
  /** The cost that the engine has completed; null until the engine has read the prompt. */
  workedOffCost: number | null
}

/** Each token of expected cost delays a request's nominal arrival by this much … */
const delayMsPerCost = 5
/** … up to this share of its time limit, so that shorter requests cannot delay it until it is refused. */
const maxDelayShare = 1 / 4

export const createRequest = (
  { id, ownerId, weight, size, canPause = false }: Arrival,
  expectedCost: number,
  { nowMs, queueTimeoutMs }: { nowMs: number; queueTimeoutMs: number },
): Request => ({
  ...{ id, ownerId, weight, expectedCost, canPause },
  order: nowMs + Math.min(expectedCost * delayMsPerCost, queueTimeoutMs * maxDelayShare),
  choices: size.choices,
  hasStarted: false,
  ...{ slots: 0, waits: 0, suspended: 0 },
  pausedAtMs: nowMs,
  turn: { startedMs: nowMs, startCost: 0 },
  chargedCost: 0,
  tokens: { promptTokens: size.promptTokens, cachedTokens: 0, completionTokens: 0 },
  workedOffCost: null,
})

/** Others may have a slot of it. */
export const isTurnOver = ({ canPause, turn, workedOffCost, weight, slots }: Request, nowMs: number): boolean => {
  if (!canPause || slots === 0) return false
  return nowMs - turn.startedMs >= turnMs || (workedOffCost ?? 0) - turn.startCost >= slots * turnCostOf(weight)
}

export const isPausedLong = ({ hasStarted, pausedAtMs }: Request, nowMs: number): boolean =>
  hasStarted && nowMs - pausedAtMs >= maxPauseMs
