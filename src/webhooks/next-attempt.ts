import type { AttemptRecord } from '../store/webhook-contract.ts'

/** Why an attempt failed, for people who read the log of deliveries. */
export const deliveryErrors = [
  'address_not_allowed',
  'insecure',
  'dns',
  'refused',
  'unreachable',
  'tls',
  'timeout',
  'redirect',
  'status',
  'gone',
  'secret_unreadable',
  'mail_not_configured',
  'mail_failed',
  'stopped',
  'disabled',
  'queue_full',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

/** What came of one attempt. */
export type AttemptOutcome = { status: number | null; error: DeliveryError | null }

const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000]

/** The pauses between attempts: more than a day together. */
export const retryDelaysMs: readonly number[] = [
  ...[5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  ...[hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs, 12 * hourMs],
]
export const maxAttempts = retryDelaysMs.length + 1

/** Pauses are up to this fraction longer, so that deliveries that failed together are not repeated together. */
const jitter = 0.1

/** Only somebody can change these: another attempt would end the same way. */
const finalErrors: readonly (DeliveryError | null)[] = [
  'address_not_allowed',
  'insecure',
  'gone',
  'mail_not_configured',
]

type Attempt = {
  /** 1 for the first. */
  attempt: number
  outcome: AttemptOutcome
  durationMs: number
  now: number
  /** From 0 to 1. */
  random: number
}

/** What becomes of a delivery after an attempt. */
export const nextAttempt = ({ attempt, outcome, durationMs, now, random }: Attempt): AttemptRecord => {
  const { status, error } = outcome
  const recorded = { status, error, durationMs }
  if (error === null) return { ...recorded, state: 'delivered', dueAt: null }
  // The server is stopping: whichever node comes next attempts it.
  if (error === 'stopped') return { ...recorded, state: 'pending', dueAt: now }
  const delayMs = retryDelaysMs[attempt - 1]
  if (delayMs === undefined || finalErrors.includes(error)) return { ...recorded, state: 'failed', dueAt: null }
  return { ...recorded, state: 'pending', dueAt: now + Math.round(delayMs * (1 + jitter * random)) }
}
