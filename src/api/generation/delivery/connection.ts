import { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import { ClientGone, type Exchange } from '../../../http/exchange.ts'
import { endWaitMs } from '../../../replay/recording.ts'
import type { Settling } from '../../../usage/ledger-contract.ts'

/** The socket stops being writable a moment before the connection is reported as closed. */
export const refuseGone = ({ response }: Exchange): void => {
  if (response.socket?.writable !== true) throw new ClientGone()
}

/**
 * A client that has received everything but the end of a response should not have to wait for a disk that is full or
 * hangs. Throws `node_lease_expired`.
 */
export const untilAttempted = ({ attempted }: Settling, clock: Clock): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(endWaitMs, resolve)
    void attempted.then((fate) => {
      cancel()
      if (fate === 'lost') reject(leaseExpired())
      else resolve()
    })
  })

/** Another node has settled the request for a part of its answer. */
export const leaseExpired = (): ApiError => ApiError.of('node_lease_expired', {}, { retryAfterMs: 1000 })

/** Rate-limit headers, in the style of the route, as long as no headers were sent. */
export const setLimitHeaders = ({ response, style }: Exchange, headers: Readonly<Record<string, string>>): void => {
  if (response.headersSent) return
  const shown = style.limitHeaders?.(headers) ?? headers
  for (const name in shown) response.setHeader(name, shown[name] ?? '')
}
