import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import { createRequestQueue, type RequestQueue } from '../schedule/request-queue.ts'

export type QueueSettings = Pick<
  Config,
  'queueLimit' | 'organisationQueueLimit' | 'queueTimeoutMs' | 'organisationWeights' | 'reservedSlots'
>

/** The queue of one model; the settings apply to each. */
export const createQueue = (slots: number, settings: QueueSettings, clock: Clock): RequestQueue =>
  createRequestQueue({
    slots,
    queueLimit: settings.queueLimit,
    organisationQueueLimit: settings.organisationQueueLimit,
    queueTimeoutMs: settings.queueTimeoutMs,
    organisationWeights: settings.organisationWeights,
    reservedSlots: settings.reservedSlots,
    clock,
  })
