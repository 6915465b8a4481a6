import type { ServerResponse } from 'node:http'
import { systemClock } from '../base/clock.ts'
import type { Exchange } from './exchange.ts'

/** The first write to a client that has closed makes its machine reset the connection, a later one finds that out. */
const firstDelaysMs = [5, 50, 250, 1_000] as const
const everyMs = 10_000

/**
 * A client has ended its side of the connection. Either it still listens, as HTTP allows, or it has closed the connection
 * altogether: both look the same until something is written. So something is written that means nothing: the comment of an
 * event stream, or an interim answer, which every HTTP/1.1 client skips (RFC 9110 §15.2). If the client has gone, a write
 * fails, and the request is aborted like any other whose connection breaks. An HTTP/1.0 client knows no interim answers:
 * whether it still listens is found out when its answer is written.
 */
export const probeClient = (exchange: Pick<Exchange, 'request' | 'response' | 'ping'>): void => {
  const { request, response } = exchange
  const isInterimKnown = request.httpVersionMajor === 1 && request.httpVersionMinor >= 1
  let cancel = (): void => {}
  const probe = (): void => {
    if (!isUnanswered(response)) return
    if (exchange.ping !== null) exchange.ping()
    else if (!response.headersSent && isInterimKnown) response.writeContinue()
  }
  const probeLater = ([delayMs = everyMs, ...later]: readonly number[]): void => {
    // In real time, whatever clock the rest goes by: it is another machine that answers.
    cancel = systemClock.after(delayMs, () => {
      probe()
      probeLater(later)
    })
  }
  probe()
  // On one machine the reset is there already.
  const soon = setImmediate(probe)
  probeLater(firstDelaysMs)
  response.on('close', () => {
    clearImmediate(soon)
    cancel()
  })
}

/** What waits in memory is no longer a probe, and is itself one. */
const isUnanswered = ({ writableEnded, destroyed, writableLength }: ServerResponse): boolean =>
  !writableEnded && !destroyed && writableLength === 0
