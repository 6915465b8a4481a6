/**
 * A token bucket for each name, which refills evenly. An attempt is consumed before the work and refunded after a success,
 * so that concurrent attempts cannot exceed the limit together.
 */
export interface AttemptLimit {
  /** Throws `too_many_attempts` when none is left. */
  consume(name: string): Promise<void>
  /** The same, returning false instead of throwing. */
  tryConsume(name: string): Promise<boolean>
  /** How many are consumed at this moment. */
  used(name: string): Promise<number>
  refund(name: string): Promise<void>
  /** Refunds all of them. */
  reset(name: string): Promise<void>
}

export type AttemptRate = { max: number; perMs: number }

/** `kind` tells the limits apart: each has its own names. A rate that a setting may change is a function. */
export type CreateAttemptLimit = (kind: string, rate: AttemptRate | (() => AttemptRate)) => AttemptLimit

export const currentRate = (rate: Parameters<CreateAttemptLimit>[1]): AttemptRate =>
  typeof rate === 'function' ? rate() : rate
