import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Dispatch } from '../http/dispatch.ts'
import type { Listener } from '../http/listen.ts'
import type { Replays } from '../replay/replays.ts'
import type { LedgerNotifier } from '../usage/ledger-notifier.ts'

type DrainOptions = {
  listeners: readonly Listener[]
  dispatch: Pick<Dispatch, 'refuseNew' | 'abortAll' | 'idle'>
  /** Only of a server. */
  replays?: Pick<Replays, 'abortAll' | 'idle'>
  notifier?: Pick<LedgerNotifier, 'close'>
  shutdownGraceMs: number
  clock: Clock
  log: Log
}

/** How long connections may take to close once every running request was aborted. */
const lastResponsesMs = 2000

/** Lets running requests end within the grace period, and aborts the others after it. */
export const drain = async (options: DrainOptions): Promise<void> => {
  const { listeners, dispatch, replays, notifier, shutdownGraceMs, clock, log } = options
  dispatch.refuseNew()
  // Pages that follow the request log would never disconnect. They reconnect by themselves.
  notifier?.close()
  const closed = Promise.all(listeners.map((listener) => listener.close()))
  const cancelGrace = clock.after(shutdownGraceMs, () => {
    log.warn('grace_period_expired', { graceMs: shutdownGraceMs })
    const stopping = ApiError.of('shutting_down', {}, { retryAfterMs: 1000 })
    dispatch.abortAll(stopping)
    replays?.abortAll(stopping)
  })
  const disconnect = (): void => {
    for (const listener of listeners) listener.closeAllConnections()
  }
  const cancelForce = clock.after(shutdownGraceMs + lastResponsesMs, disconnect)
  // There is nothing to wait for on idle connections.
  void dispatch.idle().then(disconnect)
  await closed
  // Answers that run without a connection get the same grace period.
  await replays?.idle()
  cancelGrace()
  cancelForce()
}
