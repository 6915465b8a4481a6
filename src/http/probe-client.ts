import type { ServerResponse } from 'node:http'
import { systemClock } from '../base/clock.ts'
import type { Exchange } from './exchange.ts'

/** The first write to a client that has closed makes its machine reset the connection, which a later write detects. */
const firstDelaysMs = [5, 50, 250, 1_000] as const
const everyMs = 10_000

/**
 * A client has ended its side of the connection. Either it still waits for the response, as HTTP allows, or it has closed the
 * connection: both look the same until something is written. So something without meaning is written: a comment in an event
 * stream, or an interim response, which every HTTP/1.1 client skips (RFC 9110 §15.2). If the client has gone, a write fails,
 * and the request is aborted like any other whose connection breaks. HTTP/1.0 has no interim responses, so whether such a
 * client still waits is noticed only when its response is written.
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
    // In real time, whatever the clock of the server is: it waits for another machine.
    cancel = systemClock.after(delayMs, () => {
      probe()
      probeLater(later)
    })
  }
  probe()
  // On the same machine the reset has already arrived.
  const soon = setImmediate(probe)
  probeLater(firstDelaysMs)
  response.on('close', () => {
    clearImmediate(soon)
    cancel()
  })
}

/** Output that waits in memory makes a probe unnecessary, because writing it is one. */
const isUnanswered = ({ writableEnded, destroyed, writableLength }: ServerResponse): boolean =>
  !writableEnded && !destroyed && writableLength === 0
