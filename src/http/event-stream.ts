import type { ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { writeHead } from './answer-headers.ts'
import type { Exchange } from './exchange.ts'
import { errorBody } from './respond.ts'

export interface EventStream {
  /** Sends the head now: there is something to say, though not at once. */
  open(): void
  /** From now on it is never silent for long: where nothing comes for the time of a heartbeat, the head and a ping go out. */
  keepAlive(): void
  /**
   * Sends one event at once. Returns a promise only when the client reads too slowly: wait for it before the next one, so
   * that memory stays bounded. It rejects when the signal is aborted. With an id, a client can go on behind this event.
   */
  send(data: string, id?: string): Promise<void> | undefined
  /** The answer is complete: its last events, `[DONE]`, and the end. A slow reader is not waited for. */
  done(lastEvents?: readonly string[]): void
}

type Answer = Pick<Exchange, 'response' | 'failMidway' | 'ping' | 'elapsedMs' | 'releaseBody'>
type EventStreamOptions = {
  clock: Clock
  heartbeatMs: number
  /** How long a client may leave what it was sent unread. */
  stallTimeoutMs: number
  /** Ends the stream, and the wait for a slow reader: the client left, the server stops, or time is up. */
  signal: AbortSignal
  /** The last moment for further headers. */
  beforeHead?(): void
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/**
 * Server-sent events straight onto Node's response: a framework's helper costs three to five times the CPU for each token.
 * The head goes out with the first event, or with the first ping where that is long in coming. A failure before it is a plain
 * JSON error; a later one becomes an error event, without `[DONE]`.
 */
export const openEventStream = (exchange: Answer, options: EventStreamOptions): EventStream => {
  const { response } = exchange
  const { clock, heartbeatMs, stallTimeoutMs } = options
  let quiet = true
  /** The head is out, but the answer has not begun. */
  let isEarly = false
  let stopHeartbeat = (): void => {}
  const ping = (): void => void response.write(': ping\n\n')
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
    exchange.failMidway = (error) => finish(`data: ${JSON.stringify(errorBody(error))}\n\n`)
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
    response.end(lastEvent)
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
      const idLine = id === undefined ? '' : `id: ${id}\n`
      return response.write(`${idLine}data: ${data}\n\n`) ? undefined : drained(response, options)
    },
    done(lastEvents = []) {
      begin()
      finish([...lastEvents, '[DONE]'].map((data) => `data: ${data}\n\n`).join(''))
    },
  }
}

/** What a client leaves unread takes memory: after some time its connection is ended. */
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
