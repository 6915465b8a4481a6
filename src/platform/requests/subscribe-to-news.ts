import type { Clock } from '../../base/clock.ts'
import type { LedgerNotifier } from '../../usage/ledger-notifier.ts'

export interface NewsSubscription {
  /** Resolves when there may be something new, after `maxMs` at the latest. */
  next(maxMs: number): Promise<'notified' | 'silent' | 'closed'>
  close(): void
}

/** Merges notifications: `next` resolves at once after a quiet period, otherwise `restMs` after the previous time. */
export const subscribeToNews = (
  notifier: LedgerNotifier,
  organisationId: string,
  clock: Clock,
  restMs: number,
): NewsSubscription => {
  let isNotified = false
  let isClosed = false
  let wake = (): void => {}
  let restsUntilMs = 0
  const end = (): void => {
    isClosed = true
    wake()
  }
  const onNotify = (): void => {
    isNotified = true
    wake()
  }
  const stop = notifier.subscribe(organisationId, { onNotify, onClose: end })
  const woken = (maxMs: number, isDue: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (isDue()) return resolve()
      const done = (): void => {
        cancel()
        wake = () => {}
        resolve()
      }
      const cancel = clock.after(maxMs, done)
      wake = () => {
        if (isDue()) done()
      }
    })
  return {
    async next(maxMs) {
      const restMsLeft = restsUntilMs - clock.monotonicMs()
      if (restMsLeft > 0) await woken(restMsLeft, () => isClosed)
      await woken(maxMs, () => isClosed || isNotified)
      const wasNotified = isNotified
      isNotified = false
      restsUntilMs = clock.monotonicMs() + restMs
      return isClosed ? 'closed' : wasNotified ? 'notified' : 'silent'
    },
    close() {
      stop()
      end()
    },
  }
}
