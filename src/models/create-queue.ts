import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import { createRequestQueue, type RequestQueue } from '../schedule/request-queue.ts'

export type QueueSettings = Pick<
  Config,
  'queueLimit' | 'organisationQueueLimit' | 'queueTimeoutMs' | 'organisationWeights' | 'reservedSlots'
>

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
    queueLimit: settings.queueLimit,
    organisationQueueLimit: settings.organisationQueueLimit,
    queueTimeoutMs: settings.queueTimeoutMs,
    organisationWeights: settings.organisationWeights,
    reservedSlots: settings.reservedSlots,
    clock,
  })
