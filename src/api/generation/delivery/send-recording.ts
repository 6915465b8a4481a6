import type { Clock } from '../../../base/clock.ts'
import { openEventStream } from '../../../http/event-stream.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { sendJsonText } from '../../../http/respond.ts'
import { ownTurn } from '../../../http/turn.ts'
import type { Subscription } from '../../../replay/subscription.ts'
import { setLimitHeaders } from './connection.ts'

type SendOptions = {
  clock: Clock
  heartbeatMs: number
  stallTimeoutMs: number
  stream: boolean
  /** Called at the last moment, so that the values are current when they are sent. */
  limitHeaders(): Record<string, string>
}

/** Sends a recorded response to one connection, at the pace at which the client reads. */
export const sendRecording = async (
  exchange: Exchange,
  subscription: Subscription,
  options: SendOptions,
): Promise<void> => {
  const { response } = exchange
  const setHeaders = (): void => setLimitHeaders(exchange, options.limitHeaders())
  try {
    if (subscription.replayed) response.setHeader('idempotent-replayed', 'true')
    await ownTurn(exchange)
    if (options.stream) await sendEvents(exchange, subscription, { ...options, beforeHead: setHeaders })
    else await sendDocument(exchange, subscription, setHeaders)
  } catch (error) {
    setHeaders()
    throw error
  } finally {
    subscription.close()
  }
}

const sendDocument = async (exchange: Exchange, subscription: Subscription, beforeHead: () => void): Promise<void> => {
  for await (const { data } of subscription.events(exchange.signal)) {
    beforeHead()
    sendJsonText(exchange, 200, data)
  }
}

const sendEvents = async (
  exchange: Exchange,
  subscription: Subscription,
  options: SendOptions & { beforeHead(): void },
): Promise<void> => {
  const { signal } = exchange
  const stream = openEventStream(exchange, { ...options, signal })
  // The next event may take long, and a client that resumes a stream wants to know that it continues.
  if (subscription.begun) stream.open()
  else stream.keepAlive()
  for await (const { id, data } of subscription.events(signal)) {
    const slowReader = stream.send(data, id)
    if (slowReader !== undefined) await slowReader
  }
  stream.done()
}
