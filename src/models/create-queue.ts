import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import { createRequestQueue, type RequestQueue } from '../schedule/request-queue.ts'

export type QueueSettings = Pick<
  Config,
  'queueLimit' | 'organisationQueueLimit' | 'queueTimeoutMs' | 'organisationWeights' | 'reservedSlots'
>

/** A model of our own answers a few requests a second, so more of them would wait for minutes. */
export const modelQueueLimit = 64
/**
 * A gateway gets thousands a second: a pause of a tenth of a second, in which nothing is lost, brings hundreds at once. The
 * time limit of the queue refuses those that would wait for long.
 */
const upstreamQueueLimit = 1024

type QueueOptions = {
  /** For engines whose answers cannot be paused: an owner that has its share of the slots gets no further one while others wait. */
  keepsShares?: boolean
}

/** The queue of one model; the settings apply to each. */
export const createQueue = (
  slots: number,
  settings: QueueSettings,
  clock: Clock,
  { keepsShares = false }: QueueOptions = {},
): RequestQueue =>
  createRequestQueue({
    slots,
    keepsShares,
    queueLimit: settings.queueLimit ?? (keepsShares ? upstreamQueueLimit : modelQueueLimit),
    organisationQueueLimit: settings.organisationQueueLimit,
    queueTimeoutMs: settings.queueTimeoutMs,
    organisationWeights: settings.organisationWeights,
    reservedSlots: settings.reservedSlots,
    clock,
  })
