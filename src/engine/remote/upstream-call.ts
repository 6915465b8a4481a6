import type { Dispatcher } from 'undici'
import type { Clock } from '../../base/clock.ts'
import type { TracedCall } from '../../traces/request-trace.ts'
import type { Sending } from './sending.ts'
import { createSilenceTimer, type SilenceTimer } from './silence-timer.ts'
import type { UpstreamConnection, UpstreamConnections } from './upstream-connections.ts'
import { firstOfEach, isEventStream, type UpstreamHead } from './upstream-head.ts'

export type CallLimits = {
  /** How long an answer may pause. */
  silenceLimitMs: number
  /** How long it may take to begin: a stream with its first event, a document with its first character. */
  headLimitMs: number
  /** How long it may take to connect, TLS included. */
  connectLimitMs: number
}

type CallOptions = {
  request: Dispatcher.DispatchOptions
  sending: Sending
  connections: UpstreamConnections
  signal: AbortSignal
  /** Events are expected, unless the response says something else. */
  isStream: boolean
  limits: CallLimits
  clock: Clock
  /** Null if the request is not traced. */
  traced?: TracedCall | null
}

/** The life of a request on the wire. docs/upstreams.md draws it. */
type CallState =
  /** Nothing of the response has arrived. On a connection that the upstream had closed, it is sent once more on a new one. */
  | { type: 'sent'; isRepeated: boolean }
  /** The response arrives. */
  | { type: 'begun' }
  /** Nothing more is wanted, and only the end is missing: it is waited for, so that the connection can be used again. */
  | { type: 'ending'; timer: NodeJS.Timeout }
  /** Nothing more arrives, or is wanted. */
  | { type: 'ended' }
  | { type: 'failed'; error: Error }

/** Reading pauses when this much has arrived and was not taken, and continues once little of it is left. */
const maxHeldBytes = 64 * 1024
/** Undici copies everything that has arrived each time it continues: just below the maximum, each event would cost as much as all of them. */
const littleHeldBytes = 16 * 1024
/** How long and how much of a response is read after the part that was wanted. */
const endWaitMs = 1000

/** One request and its response. */
export class UpstreamCall {
  /** Resolves once the head of the response has arrived. */
  readonly head: Promise<UpstreamHead>
  readonly #options: CallOptions
  readonly #head = Promise.withResolvers<UpstreamHead>()
  readonly #silence: SilenceTimer
  #state: CallState = { type: 'sent', isRepeated: false }
  #connection: UpstreamConnection
  #controller: Dispatcher.DispatchController | null = null
  #isEvents: boolean
  #hasProgressed = false
  #parts: Buffer[] = []
  #heldBytes = 0
  #isPaused = false
  #wake: (() => void) | null = null

  constructor(options: CallOptions) {
    const { connections, signal, isStream, clock } = options
    this.#options = options
    this.#isEvents = isStream
    this.#connection = connections.take({ isNew: false })
    this.#silence = createSilenceTimer(clock, (limitMs) => this.#onSilent(limitMs))
    this.head = this.#head.promise
    this.head.catch(() => {})
    if (signal.aborted) this.#onAbort()
    else {
      signal.addEventListener('abort', this.#onAbort, { once: true })
      this.#dispatch()
    }
  }

  /** The whole request was sent. */
  isSent(): boolean {
    const { sending } = this.#options
    return this.#controller !== null && sending.isComplete() && this.#connection.socket?.writableLength === 0
  }

  /** How many bytes of the body have arrived and were not taken. */
  heldBytes(): number {
    return this.#heldBytes
  }

  /**
   * The next bytes of the body, at most `maxBytes` if given; null at its end, undefined if there are none yet. Throws if the
   * response broke off.
   */
  take(maxBytes = Number.POSITIVE_INFINITY): Buffer | null | undefined {
    if (this.#parts.length === 0) {
      if (this.#state.type === 'failed') throw this.#state.error
      return this.#isOpen ? undefined : null
    }
    const bytes = this.#heldBytes <= maxBytes ? joined(this.#parts) : firstBytes(this.#parts, maxBytes)
    if (bytes.length === this.#heldBytes) this.#parts = []
    this.#taken(bytes.length)
    return bytes
  }

  /** The same, but everything that has arrived, in the parts in which it did. */
  takeParts(): readonly Buffer[] | null | undefined {
    const parts = this.#parts
    if (parts.length === 0) return this.take() === null ? null : undefined
    this.#parts = []
    this.#taken(this.#heldBytes)
    return parts
  }

  /** An event has arrived. Of a stream only this starts the limit again: comments do not, because they say nothing. */
  progressed(): void {
    if (!this.#isOpen) return
    if (this.#hasProgressed) this.#silence.touch()
    else this.#silence.start(this.#options.limits.silenceLimitMs)
    this.#hasProgressed = true
  }

  /** Resolves when `take` may return something. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /** What it has answered cannot be used, and why. */
  blame(reason: string): void {
    this.#options.traced?.failed(reason)
  }

  /** Nothing more is wanted. `isComplete`: only the end is missing, so that the connection can be used again. */
  close(isComplete: boolean): void {
    const { connections, signal, traced } = this.#options
    traced?.ended()
    signal.removeEventListener('abort', this.#onAbort)
    this.#silence.stop()
    if (!this.#isOpen) return
    if (!isComplete || this.#state.type !== 'begun') {
      this.#state = { type: 'ended' }
      connections.drop(this.#connection)
      return
    }
    this.#state = { type: 'ending', timer: setTimeout(() => connections.drop(this.#connection), endWaitMs) }
    this.#controller?.resume()
  }

  get #isOpen(): boolean {
    return this.#state.type === 'sent' || this.#state.type === 'begun'
  }

  #taken(bytes: number): void {
    this.#heldBytes -= bytes
    if (!this.#isPaused || this.#heldBytes > littleHeldBytes) return
    this.#isPaused = false
    this.#controller?.resume()
  }

  #dispatch(): void {
    const { request, sending } = this.#options
    this.#connection.client.dispatch({ ...request, body: sending.begin() }, this.#handler())
  }

  #handler(): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (controller) => {
        this.#controller = controller
        if (this.#isOpen) this.#silence.start(this.#options.limits.headLimitMs)
      },
      onResponseStarted: () => {
        if (this.#state.type === 'sent') this.#state = { type: 'begun' }
      },
      onResponseStart: (_, status, headers) => {
        // Below 200 a response only announces another.
        if (status < 200) return
        const head = { status, headers: firstOfEach(headers) }
        this.#isEvents = isEventStream(head, this.#options.isStream)
        this.#options.traced?.answered(status)
        this.#head.resolve(head)
      },
      onResponseData: (_, bytes) => this.#onData(bytes),
      onResponseEnd: () => this.#onEnd(),
      onResponseError: (_, error) => this.#onError(error),
    }
  }

  #onData(bytes: Buffer): void {
    if (this.#state.type === 'ending') return
    this.#parts.push(bytes)
    this.#heldBytes += bytes.length
    if (!this.#isEvents && !isBlank(bytes)) this.progressed()
    if (this.#heldBytes > maxHeldBytes) {
      this.#isPaused = true
      this.#controller?.pause()
    }
    this.#notify()
  }

  #onEnd(): void {
    const { connections, sending } = this.#options
    this.#silence.stop()
    // Undici closes a connection on which the response was complete before the request.
    if (sending.isComplete()) connections.giveBack(this.#connection)
    else connections.drop(this.#connection)
    this.#end()
    this.#notify()
  }

  #onError(error: Error): void {
    const { connections, limits } = this.#options
    this.#silence.stop()
    connections.drop(this.#connection)
    if (this.#state.type === 'sent' && !this.#state.isRepeated && isStale(this.#connection, error)) {
      this.#state = { type: 'sent', isRepeated: true }
      this.#connection = connections.take({ isNew: true })
      this.#controller = null
      this.#dispatch()
    } else if (this.#state.type === 'ending') this.#end()
    else this.#fail(explained(error, limits), faultName(error))
  }

  #onSilent(limitMs: number): void {
    // What has arrived was not read yet: the caller is slow, not the upstream.
    if (this.#heldBytes > 0) {
      this.#silence.start(limitMs)
      return
    }
    this.#fail(new Error(`the upstream sent nothing for ${limitMs} ms`), 'timeout')
    this.#options.connections.drop(this.#connection)
  }

  readonly #onAbort = (): void => {
    // Once the response has ended, another request may use the connection.
    if (!this.#isOpen) return
    this.#silence.stop()
    this.#fail(new Error('aborted'), null)
    this.#options.connections.drop(this.#connection)
  }

  #end(): void {
    if (this.#state.type === 'ending') clearTimeout(this.#state.timer)
    if (this.#state.type !== 'failed') this.#state = { type: 'ended' }
  }

  /** `reason`: for the trace; null if the upstream is not to blame. */
  #fail(error: Error, reason: string | null): void {
    if (!this.#isOpen) return
    if (reason !== null) this.#options.traced?.failed(reason)
    this.#state = { type: 'failed', error }
    this.#head.reject(error)
    this.#notify()
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = null
  }
}

/** Such as `ECONNREFUSED`. */
const faultName = ({ code, name }: NodeJS.ErrnoException): string => code ?? name

/** The error of a connection that was not accepted says how long was waited. */
const explained = (error: Error, { connectLimitMs }: CallLimits): Error => {
  const { code }: NodeJS.ErrnoException = error
  return code === 'UND_ERR_CONNECT_TIMEOUT'
    ? new Error(`the upstream did not accept a connection in ${connectLimitMs} ms`)
    : error
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
  isUsed && (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET')
