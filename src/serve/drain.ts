import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Dispatch } from '../http/dispatch.ts'
import type { Listener } from '../http/listen.ts'
import type { Replays } from '../replay/replays.ts'
import type { LedgerNotifier } from '../usage/ledger-notifier.ts'
import type { ShutdownDelay } from './shutdown-delay.ts'

type DrainOptions = {
  listeners: readonly Listener[]
  dispatch: Pick<Dispatch, 'closeConnections' | 'refuseNew' | 'abortAll' | 'idle'>
  /** Only of a server. */
  replays?: Pick<Replays, 'abortAll' | 'idle'>
  notifier?: Pick<LedgerNotifier, 'close'>
  delay?: Pick<ShutdownDelay, 'wait'>
  /** Of which the delay is part. */
  shutdownGraceMs: number
  clock: Clock
  log: Log
}

/** How long connections on which nothing happens stay open after the end of listening: the next request on each is its last. */
const lastRequestsMs = 2000
/** How long connections may take to close once every running request was aborted. */
const lastResponsesMs = 2000

/**
 * Serves everything until the end of the delay; then lets running requests end within the grace period, and aborts the others
 * after it. Connections are closed by the responses on them: a proxy that has just chosen an idle one would get no response.
 */
export const drain = async (options: DrainOptions): Promise<void> => {
  const { listeners, dispatch, replays, notifier, delay, shutdownGraceMs, clock, log } = options
  const startedMs = clock.monotonicMs()
  // Connections are kept during the delay: a proxy that has to open one for every request would open one at the very moment at which
  // the server stops listening, and the system resets those that were not accepted yet.
  const waiting = delay?.wait() ?? null
  const isDelayed = waiting !== null && (await waiting)
  dispatch.closeConnections()
  if (!isDelayed) dispatch.refuseNew()
  const leftMs = Math.max(0, shutdownGraceMs - (clock.monotonicMs() - startedMs))
  // Pages that follow the request log would never disconnect. They reconnect by themselves.
  notifier?.close()
  const closed = Promise.all(listeners.map((listener) => listener.close({ keepsIdle: isDelayed })))
  const cancelGrace = clock.after(leftMs, () => {
    log.warn('grace_period_expired', { graceMs: shutdownGraceMs })
    const stopping = ApiError.of('shutting_down', {}, { retryAfterMs: 1000 })
    dispatch.abortAll(stopping)
    replays?.abortAll(stopping)
  })
  const disconnect = (): void => {
    for (const listener of listeners) listener.closeAllConnections()
  }
  const cancelForce = clock.after(leftMs + lastResponsesMs, disconnect)
  // There is nothing to wait for on idle connections.
  const disconnectIdle = (): void => void dispatch.idle().then(disconnect)
  const cancelIdle = isDelayed ? clock.after(Math.min(leftMs, lastRequestsMs), disconnectIdle) : disconnectIdle()
  await closed
  cancelIdle?.()
  // Answers that run without a connection get the same grace period.
  await replays?.idle()
  cancelGrace()
  cancelForce()
}
