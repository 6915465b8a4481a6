import type { Dispatcher } from 'undici'
import type { Clock } from '../../base/clock.ts'
import { openSending, type Sending } from './sending.ts'
import { createSilenceTimer } from './silence-timer.ts'
import type { LongBody } from './upstream-body.ts'
import { openUpstreamConnections, type UpstreamConnection, type UpstreamConnections } from './upstream-connections.ts'
import type { UpstreamTls } from './upstream-tls.ts'

/**
 * HTTP to one upstream, on connections that stay open. Written on undici's `dispatch` with callbacks: `fetch` and web streams
 * cost several times the CPU for each chunk, `node:http` about twice as much. Redirects are not followed, and nothing is
 * decompressed.
 */
export interface UpstreamClient {
  post(path: string, body: string | LongBody, options: PostOptions): UpstreamCall
  close(): void
}

/** `stream`: events are expected, unless the response says something else. `tenant`: whose turn a long body waits for. */
type PostOptions = {
  stream: boolean
  signal: AbortSignal
  tenant: string
  headers?: Readonly<Record<string, string>>
}

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
   * The next bytes of the body, at most `maxBytes` if given; null at its end, undefined if there are none yet. Throws if the
   * response broke off.
   */
  take(maxBytes?: number): Buffer | null | undefined
  /** An event has arrived. Of a stream only this starts the limit again: comments do not, because they say nothing. */
  progressed(): void
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
  /** How long an answer may pause. */
  silenceLimitMs: number
  /** How long it may take to begin: a stream with its first event, a document with its first character. */
  headLimitMs: number
  /** How long it may take to connect, TLS included. */
  connectLimitMs: number
  clock: Clock
}

/** Reading pauses with this much that was not taken, and goes on once little is left. */
const maxHeldBytes = 64 * 1024
/** Undici copies all that has arrived whenever it goes on: just below the maximum, each event would cost as much as all of it. */
const littleHeldBytes = 16 * 1024
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
    post(path, body, { stream, signal, tenant, headers: further = {} }) {
      const sending = openSending(body, tenant)
      const request = {
        path: basePath + path,
        method: 'POST' as const,
        headers: [...headers, ...sending.headers, ...Object.entries(further).flat()],
      }
      return openCall({ request, sending, connections, signal, isStream: stream, limits, clock })
    },
    close: () => connections.close(),
  }
}

type Limits = Pick<ClientOptions, 'silenceLimitMs' | 'headLimitMs' | 'connectLimitMs'>

const silent = (limitMs: number): string => `the upstream sent nothing for ${limitMs} ms`

/** Says how long was waited. */
const explained = (error: Error, { connectLimitMs }: Limits): Error => {
  const { code }: NodeJS.ErrnoException = error
  return code === 'UND_ERR_CONNECT_TIMEOUT'
    ? new Error(`the upstream did not accept a connection in ${connectLimitMs} ms`)
    : error
}

type CallOptions = {
  request: Dispatcher.DispatchOptions
  sending: Sending
  connections: UpstreamConnections
  signal: AbortSignal
  isStream: boolean
  limits: Limits
  clock: Clock
}

const openCall = ({ request, sending, connections, signal, isStream, limits, clock }: CallOptions): UpstreamCall => {
  const { promise: head, resolve, reject } = Promise.withResolvers<UpstreamHead>()
  let connection = connections.take({ isNew: false })
  let controller: Dispatcher.DispatchController | null = null
  let hasBegun = false
  let parts: Buffer[] = []
  let heldBytes = 0
  let isPaused = false
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
    // What has arrived was not read yet: the caller is slow, not the upstream.
    if (heldBytes > 0) {
      silence.start(limitMs)
      return
    }
    fail(new Error(silent(limitMs)))
    connections.drop(connection)
  }
  const silence = createSilenceTimer(clock, onSilent)
  let isEvents = isStream
  let hasProgressed = false
  const progressed = (): void => {
    if (state !== 'open') return
    if (hasProgressed) silence.touch()
    else silence.start(limits.silenceLimitMs)
    hasProgressed = true
  }
  const handler = (isRetry: boolean): Dispatcher.DispatchHandler => ({
    onRequestStart(started) {
      controller = started
      if (state === 'open') silence.start(limits.headLimitMs)
    },
    onResponseStarted() {
      hasBegun = true
    },
    onResponseStart(_, status, headers) {
      // Below 200 a response only announces another.
      if (status < 200) return
      const head = { status, headers: firstOfEach(headers) }
      isEvents = isEventStream(head, isStream)
      resolve(head)
    },
    onResponseData(_, bytes) {
      if (lastWait !== null) return
      parts.push(bytes)
      heldBytes += bytes.length
      if (!isEvents && !isBlank(bytes)) progressed()
      if (heldBytes > maxHeldBytes) {
        isPaused = true
        controller?.pause()
      }
      changed()
    },
    onResponseEnd() {
      silence.stop()
      if (lastWait !== null) clearTimeout(lastWait)
      // Undici closes a connection on which the response was complete before the request.
      if (sending.isComplete()) connections.giveBack(connection)
      else connections.drop(connection)
      if (state === 'open') state = 'ended'
      changed()
    },
    onResponseError(_, error) {
      silence.stop()
      if (lastWait !== null) clearTimeout(lastWait)
      connections.drop(connection)
      if (state !== 'open' || isRetry || hasBegun || !isStale(connection, error)) return fail(explained(error, limits))
      connection = connections.take({ isNew: true })
      controller = null
      dispatch(handler(true))
    },
  })
  const dispatch = (to: Dispatcher.DispatchHandler): void =>
    void connection.client.dispatch({ ...request, body: sending.begin() }, to)
  const onAbort = (): void => {
    silence.stop()
    fail(new Error('aborted'))
    connections.drop(connection)
  }
  head.catch(() => {})
  if (signal.aborted) onAbort()
  else {
    signal.addEventListener('abort', onAbort, { once: true })
    dispatch(handler(false))
  }
  return {
    head,
    isSent: () => controller !== null && sending.isComplete() && connection.socket?.writableLength === 0,
    heldBytes: () => heldBytes,
    take(maxBytes = Number.POSITIVE_INFINITY) {
      const [first] = parts
      if (first === undefined) {
        if (state === 'failed') throw failure
        return state === 'ended' ? null : undefined
      }
      const bytes = heldBytes <= maxBytes ? joined(parts) : firstBytes(parts, maxBytes)
      if (bytes.length === heldBytes) parts = []
      heldBytes -= bytes.length
      if (isPaused && heldBytes <= littleHeldBytes) {
        isPaused = false
        controller?.resume()
      }
      return bytes
    },
    progressed,
    changed: () => new Promise((resolveChange) => (wake = resolveChange)),
    close(isComplete) {
      signal.removeEventListener('abort', onAbort)
      silence.stop()
      if (state !== 'open') return
      state = 'ended'
      if (!isComplete || !hasBegun) return connections.drop(connection)
      lastWait = setTimeout(() => connections.drop(connection), endWaitMs)
      controller?.resume()
    },
  }
}

/** What it says that it sends; if it does not say so, or is no answer, what was requested or a document. */
export const isEventStream = ({ status, headers }: UpstreamHead, requested: boolean): boolean => {
  const type = headers['content-type'] ?? ''
  if (status !== 200 || type.includes('application/json')) return false
  return requested || type.includes('text/event-stream')
}

/** Some servers send spaces and line ends while a document is not ready. */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13))

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
