import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { openPeriodicTask } from '../base/periodic-task.ts'
import type { DueDelivery, WebhookRecords } from '../store/webhook-contract.ts'
import { type AttemptOutcome, nextAttempt } from './next-attempt.ts'

/** Attempts a delivery. Never rejects. */
export type Deliver = (delivery: DueDelivery, signal: AbortSignal) => Promise<AttemptOutcome>

type WorkerDependencies = {
  records: Pick<WebhookRecords, 'nextDueAt' | 'claim' | 'record' | 'change'>
  deliver: Deliver
  clock: Clock
  log: Log
  /** From 0 to 1; default: `Math.random`. */
  random?: () => number
}

export interface DeliveryWorker {
  /** Something may be due: it is attempted at once instead of at the next look. */
  wake(): void
  /** Ends running attempts, which are then due at once, and resolves when they have ended. */
  close(): Promise<void>
}

/** However many deliveries another node, or an earlier process, has left. */
const lookEveryMs = 5_000
/** Far longer than an attempt can take. */
const leaseMs = 120_000
/** One for each endpoint: see `claim`. */
const maxRunning = 16

/** Attempts deliveries when they are due, and records what came of each. Several nodes share the work. */
export const openDeliveryWorker = (dependencies: WorkerDependencies): DeliveryWorker => {
  const { records, deliver, clock, log, random = Math.random } = dependencies
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let looking: Promise<void> | null = null
  let isWoken = false
  let isFailing = false

  const attempt = async (due: DueDelivery): Promise<void> => {
    const startedMs = clock.monotonicMs()
    const outcome = await deliver(due, stopping.signal)
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    const next = nextAttempt({ attempt: due.attempt, outcome, durationMs, now: clock.now(), random: random() })
    const { status, error } = outcome
    const { id: endpoint, organisationId } = due.endpoint
    if (error !== null)
      log.warn('webhook_not_delivered', {
        ...{ eventId: due.event.id, type: due.event.type, endpoint, attempt: due.attempt, status, error },
        isFinal: next.state === 'failed',
      })
    await records.record(due, next)
    // The endpoint says itself that it does not exist any more.
    if (error === 'gone') await records.change(organisationId, endpoint, { isEnabled: false })
  }
  const start = (due: DueDelivery): void => {
    const done = attempt(due)
      // The lease ends by itself, and the delivery is attempted again.
      .catch((error: unknown) => log.error('webhook_not_recorded', { eventId: due.event.id, cause: errorText(error) }))
      .finally(() => {
        running.delete(done)
        wake()
      })
    running.add(done)
  }
  const look = async (): Promise<void> => {
    do {
      isWoken = false
      const now = clock.now()
      const dueAt = await records.nextDueAt()
      if (stopping.signal.aborted || dueAt === null || dueAt > now || running.size >= maxRunning) continue
      for (const due of await records.claim(now, now + leaseMs, maxRunning - running.size)) start(due)
    } while (isWoken && !stopping.signal.aborted)
    isFailing = false
  }
  const lookOnce = (): Promise<void> => {
    isWoken = true
    looking ??= look()
      .catch((error: unknown) => {
        // Once for each outage of the database.
        if (!isFailing) log.warn('webhook_look_failed', { cause: errorText(error) })
        isFailing = true
      })
      .finally(() => {
        looking = null
      })
    return looking
  }
  const wake = (): void => {
    if (!stopping.signal.aborted) void lookOnce()
  }
  const periodic = openPeriodicTask(lookOnce, clock, lookEveryMs)
  return {
    wake,
    async close() {
      stopping.abort()
      await periodic.close()
      await looking
      await Promise.all(running)
    },
  }
}
