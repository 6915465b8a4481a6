import type { Clock } from '../../base/clock.ts'
import { openEventStream } from '../../http/event-stream.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJsonText } from '../../http/respond.ts'
import type { Telling } from '../../replay/answer.ts'

type TellOptions = {
  clock: Clock
  heartbeatMs: number
  stallTimeoutMs: number
  stream: boolean
  /** The last moment for further headers. */
  beforeHead(): void
}

/** Tells one connection of a recorded answer, at the pace at which it reads. */
export const tellAnswer = async (exchange: Exchange, telling: Telling, options: TellOptions): Promise<void> => {
  const { signal } = exchange
  try {
    if (telling.replayed) {
      exchange.response.setHeader('idempotent-replayed', 'true')
      exchange.facts.replayed = true
    }
    if (options.stream) return await tellEvents(exchange, telling, options)
    for await (const { data } of telling.events(signal)) {
      options.beforeHead()
      sendJsonText(exchange, 200, data)
    }
  } finally {
    telling.close()
  }
}

const tellEvents = async (exchange: Exchange, telling: Telling, options: TellOptions): Promise<void> => {
  const { signal } = exchange
  const stream = openEventStream(exchange, { ...options, signal })
  // The next event may be long in coming, and who picks a stream up wants to know that it goes on.
  if (telling.begun) stream.open()
  for await (const { id, data } of telling.events(signal)) {
    const slowReader = stream.send(data, id)
    if (slowReader !== undefined) await slowReader
  }
  stream.done()
}
