import type { ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { writeHead } from './answer-headers.ts'
import type { ApiStyle } from './api-style.ts'
import type { Exchange } from './exchange.ts'
import { TurnWriter } from './turn-writer.ts'

export interface EventStream {
  /** Sends the response headers now, before the first event. */
  open(): void
  /** From now on, sends the response headers and a ping whenever nothing was sent for the time of a heartbeat. */
  keepAlive(): void
  /**
   * Sends one event, together with others of the same turn. Returns a promise only if the client reads too slowly: await it before the next event, so
   * that memory stays bounded. It rejects when the signal is aborted. With an id, a client can resume after this event.
   */
  send(data: string, id?: string): Promise<void> | undefined
  /** The same for several events without ids. They are a bounded amount: only after them a slow client is waited for. */
  sendAll(data: readonly string[]): Promise<void> | undefined
  /** Completes the response: the last events, the marker of the style and the end. Does not wait for a slow reader. */
  done(lastEvents?: readonly string[]): void
}

type StreamedExchange = Pick<
  Exchange,
  'requestId' | 'response' | 'style' | 'failMidway' | 'ping' | 'elapsedMs' | 'releaseBody'
>
type EventStreamOptions = {
  clock: Clock
  heartbeatMs: number
  /** How long a client may go without reading what was sent. */
  stallTimeoutMs: number
  /** Ends the stream and the wait for a slow reader: the client disconnected, the server is stopping, or time is up. */
  signal: AbortSignal
  /** Called just before the response headers are sent. */
  beforeHead?(): void
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/**
 * Server-sent events written directly to Node's response: a framework's helper costs three to five times the CPU for each
 * token. The headers are sent with the first event, or with the first ping if that takes long. A failure before that is a
 * JSON error; a later one becomes an error event, without the marker of the end.
 */
export const openEventStream = (exchange: StreamedExchange, options: EventStreamOptions): EventStream => {
  const { requestId, response, style } = exchange
  const { clock, heartbeatMs, stallTimeoutMs } = options
  const writer = new TurnWriter(response, clock)
  let quiet = true
  /** The headers were sent, but no event yet. */
  let isEarly = false
  let sentEvents = 0
  let lastId: string | undefined
  let stopHeartbeat = (): void => {}
  const ping = (): void => {
    writer.write()
    response.write(style.ping)
  }
  const beat = (): void => {
    if (quiet && response.writableLength === 0) ping()
    quiet = true
    stopHeartbeat = clock.after(heartbeatMs, beat)
  }
  const begin = (): void => {
    if (!response.headersSent) start()
    else if (isEarly) exchange.releaseBody()
    isEarly = false
  }
  const start = (): void => {
    options.beforeHead?.()
    writeHead(exchange, 200, headers, { isEarly })
    exchange.ping = ping
    exchange.failMidway = (error) =>
      finish(eventText(style, style.errorEvent(error, requestId, readCount(lastId) ?? sentEvents)))
    stopHeartbeat()
    stopHeartbeat = clock.after(heartbeatMs, beat)
    response.on('close', () => stopHeartbeat())
  }
  const startEarly = (): void => {
    if (response.headersSent || response.destroyed) return
    isEarly = true
    start()
    ping()
  }
  const finish = (lastEvent: string): void => {
    stopHeartbeat()
    response.end(writer.take() + lastEvent)
    const cancel = clock.after(stallTimeoutMs, () => response.destroy())
    response.on('close', cancel)
  }
  return {
    open() {
      begin()
      response.flushHeaders()
    },
    keepAlive() {
      if (response.headersSent) return
      stopHeartbeat = clock.after(heartbeatMs, startEarly)
      response.on('close', () => stopHeartbeat())
    },
    send(data, id) {
      begin()
      quiet = false
      sentEvents += 1
      lastId = id
      writer.add(id === undefined ? eventText(style, data) : `id: ${id}\n${eventText(style, data)}`)
      return response.writableNeedDrain ? drained(response, options) : undefined
    },
    sendAll(all) {
      begin()
      quiet = false
      sentEvents += all.length
      lastId = undefined
      writer.add(eventTexts(style, all))
      return response.writableNeedDrain ? drained(response, options) : undefined
    },
    done(lastEvents = []) {
      begin()
      const text = eventTexts(style, lastEvents)
      finish(style.endMarker === null ? text : `${text}data: ${style.endMarker}\n\n`)
    },
  }
}

const eventText = (style: ApiStyle, data: string): string => {
  const name = style.eventName(data)
  return name === null ? `data: ${data}\n\n` : `event: ${name}\ndata: ${data}\n\n`
}

const eventTexts = (style: ApiStyle, all: readonly string[]): string => {
  let text = ''
  for (const data of all) text += eventText(style, data)
  return text
}

/** A resumed stream does not begin with the first event, but its ids contain the index of each. */
const readCount = (id: string | undefined): number | null => {
  const index = id === undefined ? Number.NaN : Number(id.slice(id.lastIndexOf(':') + 1))
  return Number.isNaN(index) ? null : index + 1
}

/** Unread output takes memory, so a client that reads nothing for some time is disconnected. */
const drained = (response: ServerResponse, { clock, signal, stallTimeoutMs }: EventStreamOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancelStall = clock.after(stallTimeoutMs, () => response.destroy())
    const onDrain = (): void => {
      cancelStall()
      signal.removeEventListener('abort', onAbort)
      resolve()
    }
    const onAbort = (): void => {
      cancelStall()
      response.off('drain', onDrain)
      reject(signal.reason)
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    response.once('drain', onDrain)
  })
