import type { Dispatcher } from 'undici'
import type { Clock } from '../../base/clock.ts'
import { createSilenceTimer, isKeptExactly } from './silence-timer.ts'
import { openUpstreamConnections, type UpstreamConnection, type UpstreamConnections } from './upstream-connections.ts'
import type { UpstreamTls } from './upstream-tls.ts'

/**
 * HTTP to one upstream, on connections that stay open. Written on undici's `dispatch` with callbacks: `fetch` and web streams
 * cost several times the CPU for each chunk, `node:http` about twice as much. Redirects are not followed, and nothing is
 * decompressed.
 */
export interface UpstreamClient {
  /** A JSON answer is not started before it is complete, so only the signal limits the wait for it. */
  post(path: string, body: string, options: PostOptions): UpstreamCall
  close(): void
}

type PostOptions = { stream: boolean; signal: AbortSignal; headers?: Readonly<Record<string, string>> }

/** The head of a response. Of a header that occurs several times, the first one counts. */
export type UpstreamHead = { status: number; headers: Readonly<Record<string, string | undefined>> }

/** One request and its response. */
export interface UpstreamCall {
  /** Resolves once the head of the response has arrived. */
  readonly head: Promise<UpstreamHead>
  /** The whole request was sent. */
  isSent(): boolean
  /** How many bytes of the body have arrived and were not taken. */
  heldBytes(): number
  /**
   * The next bytes of the body, at most `mostBytes` if given; null at its end, undefined if there are none yet. Throws if the
   * response broke off.
   */
  take(mostBytes?: number): Buffer | null | undefined
  /** Resolves when `take` may return something. */
  changed(): Promise<void>
  /** Nothing more is wanted. `isComplete`: only the end is missing, so that the connection can be used again. */
  close(isComplete: boolean): void
}

type ClientOptions = {
  baseUrl: string
  key: string | null
  /** Null: as any web server is reached. */
  tls: UpstreamTls | null
  /** How long a stream may send nothing. */
  silenceLimitMs: number
  /** How long it may send nothing before its head. */
  headLimitMs: number
  /** How long it may take to connect, TLS included. */
  connectLimitMs: number
  clock: Clock
}

const mostHeldBytes = 256 * 1024
/** How long and how much of a response is read after the part that was wanted. */
const endWaitMs = 1000

export const openUpstreamClient = ({
  baseUrl,
  key,
  tls,
  silenceLimitMs,
  headLimitMs,
  connectLimitMs,
  clock,
}: ClientOptions): UpstreamClient => {
  const { origin, pathname } = new URL(baseUrl)
  const connections = openUpstreamConnections({ origin, tls, connectLimitMs, clock })
  const headers = [
    ...['content-type', 'application/json'],
    ...['accept', 'application/json, text/event-stream'],
    ...['accept-encoding', 'identity'],
    ...(key === null ? [] : ['authorization', `Bearer ${key}`]),
  ]
  const basePath = pathname.replace(/\/$/, '')
  const limits = { silenceLimitMs, headLimitMs, connectLimitMs }
  return {
    post(path, body, { stream, signal, headers: further }) {
      const request: Dispatcher.DispatchOptions = {
        path: basePath + path,
        method: 'POST',
        headers: further === undefined ? headers : [...headers, ...Object.entries(further).flat()],
        body,
        headersTimeout: stream && !isKeptExactly(headLimitMs) ? headLimitMs : 0,
        bodyTimeout: stream && !isKeptExactly(silenceLimitMs) ? silenceLimitMs : 0,
      }
      const explain = (error: Error): Error => explained(error, limits)
      return openCall({ request, connections, signal, explain, limits: stream ? limits : null, clock })
    },
    close: () => connections.close(),
  }
}

type Limits = Pick<ClientOptions, 'silenceLimitMs' | 'headLimitMs' | 'connectLimitMs'>

const silent = (limitMs: number): string => `the upstream sent nothing for ${limitMs} ms`

/** Says how long was waited. */
const explained = (error: Error, { silenceLimitMs, headLimitMs, connectLimitMs }: Limits): Error => {
  const { code }: NodeJS.ErrnoException = error
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new Error(`the upstream did not accept a connection in ${connectLimitMs} ms`)
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return new Error(silent(headLimitMs))
  if (code === 'UND_ERR_BODY_TIMEOUT') return new Error(silent(silenceLimitMs))
  return error
}

type CallOptions = {
  request: Dispatcher.DispatchOptions
  connections: UpstreamConnections
  signal: AbortSignal
  explain: (error: Error) => Error
  /** Null: only the signal limits the wait. */
  limits: Limits | null
  clock: Clock
}

const openCall = ({ request, connections, signal, explain, limits, clock }: CallOptions): UpstreamCall => {
  const { promise: head, resolve, reject } = Promise.withResolvers<UpstreamHead>()
  let connection = connections.take({ isNew: false })
  let controller: Dispatcher.DispatchController | null = null
  let hasBegun = false
  let parts: Buffer[] = []
  let heldBytes = 0
  let state: 'open' | 'ended' | 'failed' = 'open'
  let failure: Error | null = null
  let wake: (() => void) | null = null
  /** Set once only the end of the response is waited for. */
  let lastWait: NodeJS.Timeout | null = null

  const changed = (): void => {
    wake?.()
    wake = null
  }
  const fail = (error: Error): void => {
    if (state !== 'open') return
    state = 'failed'
    failure = error
    reject(error)
    changed()
  }
  const onSilent = (limitMs: number): void => {
    fail(new Error(silent(limitMs)))
    connections.drop(connection)
  }
  const { headLimitMs, silenceLimitMs } = limits ?? { headLimitMs: 0, silenceLimitMs: 0 }
  const isExact = isKeptExactly(headLimitMs) || isKeptExactly(silenceLimitMs)
  const silence = isExact ? createSilenceTimer(clock, onSilent) : null
  const watch = (limitMs: number): void => {
    if (isKeptExactly(limitMs) && state === 'open') silence?.start(limitMs)
    else silence?.stop()
  }
  const handler = (isRetry: boolean): Dispatcher.DispatchHandler => ({
    onRequestStart(started) {
      controller = started
      watch(headLimitMs)
    },
    onResponseStarted() {
      hasBegun = true
    },
    onResponseStart(_, status, headers) {
      // Below 200 a response only announces another.
      if (status < 200) return
      watch(silenceLimitMs)
      resolve({ status, headers: firstOfEach(headers) })
    },
    onResponseData(_, bytes) {
      if (lastWait !== null) return
      parts.push(bytes)
      heldBytes += bytes.length
      silence?.touch()
      if (heldBytes > mostHeldBytes) {
        silence?.stop()
        controller?.pause()
      }
      changed()
    },
    onResponseEnd() {
      silence?.stop()
      if (lastWait !== null) clearTimeout(lastWait)
      connections.giveBack(connection)
      if (state === 'open') state = 'ended'
      changed()
    },
    onResponseError(_, error) {
      silence?.stop()
      if (lastWait !== null) clearTimeout(lastWait)
      connections.drop(connection)
      if (state !== 'open' || isRetry || hasBegun || !isStale(connection, error)) return fail(explain(error))
      connection = connections.take({ isNew: true })
      controller = null
      connection.client.dispatch(request, handler(true))
    },
  })
  const onAbort = (): void => {
    silence?.stop()
    fail(new Error('aborted'))
    connections.drop(connection)
  }
  head.catch(() => {})
  if (signal.aborted) onAbort()
  else {
    signal.addEventListener('abort', onAbort, { once: true })
    connection.client.dispatch(request, handler(false))
  }
  return {
    head,
    isSent: () => controller !== null && connection.socket?.writableLength === 0,
    heldBytes: () => heldBytes,
    take(mostBytes = Number.POSITIVE_INFINITY) {
      const [first] = parts
      if (first === undefined) {
        if (state === 'failed') throw failure
        return state === 'ended' ? null : undefined
      }
      const wasPaused = heldBytes > mostHeldBytes
      const bytes = heldBytes <= mostBytes ? joined(parts) : firstBytes(parts, mostBytes)
      if (bytes.length === heldBytes) parts = []
      heldBytes -= bytes.length
      if (wasPaused && heldBytes <= mostHeldBytes) {
        watch(silenceLimitMs)
        controller?.resume()
      }
      return bytes
    },
    changed: () => new Promise((resolveChange) => (wake = resolveChange)),
    close(isComplete) {
      signal.removeEventListener('abort', onAbort)
      silence?.stop()
      if (state !== 'open') return
      state = 'ended'
      if (!isComplete || !hasBegun) return connections.drop(connection)
      lastWait = setTimeout(() => connections.drop(connection), endWaitMs)
      controller?.resume()
    },
  }
}

const joined = (parts: readonly Buffer[]): Buffer => {
  const [first] = parts
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
}

/** Removes the first bytes from the parts. Upstreams may send each event as a part of its own. */
const firstBytes = (parts: Buffer[], count: number): Buffer => {
  const taken: Buffer[] = []
  let left = count
  for (const part of parts) {
    if (part.length > left) break
    taken.push(part)
    left -= part.length
  }
  parts.splice(0, taken.length)
  const [next] = parts
  if (left > 0 && next !== undefined) {
    taken.push(next.subarray(0, left))
    parts[0] = next.subarray(left)
  }
  return joined(taken)
}

/** The upstream closed an idle connection at the moment it was used: the request was not read. */
const isStale = ({ isUsed }: UpstreamConnection, { code }: NodeJS.ErrnoException): boolean =>
  isUsed && (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')

const firstOfEach = (headers: Record<string, string | string[] | undefined>): UpstreamHead['headers'] => {
  const firsts: Record<string, string | undefined> = {}
  for (const name in headers) {
    const value = headers[name]
    firsts[name] = typeof value === 'string' ? value : value?.[0]
  }
  return firsts
}
