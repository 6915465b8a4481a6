import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/**
 * HTTP to one upstream, on connections that stay open. Written on `node:http` with callbacks: `fetch` and web streams cost
 * several times the CPU for each chunk. Redirects are not followed, and nothing is decompressed.
 */
export interface UpstreamClient {
  /** A JSON answer is not started before it is complete, so only the signal limits the wait for it. */
  post(path: string, body: string, options: { stream: boolean; signal: AbortSignal }): UpstreamCall
  close(): void
}

/** One request and its response. */
export interface UpstreamCall {
  /** Resolves once the head of the response has arrived. */
  readonly head: Promise<IncomingMessage>
  /** The whole request was sent. */
  isSent(): boolean
  /** The next bytes of the body; null at its end, undefined if there are none yet. Throws if the response broke off. */
  take(): Buffer | null | undefined
  /** Resolves when `take` may return something. */
  changed(): Promise<void>
  /** Nothing more is wanted. `isComplete`: only the end is missing, so that the connection can be used again. */
  close(isComplete: boolean): void
}

type ClientOptions = {
  baseUrl: string
  key: string | null
  /** How long a stream may send nothing. */
  silenceLimitMs: number
  /** How long it may send nothing before its head. */
  headLimitMs: number
  /** How long it may take to connect, TLS included. */
  connectLimitMs: number
}

const mostHeldBytes = 1024 * 1024
/** How long and how much of a response is read after the part that was wanted. */
const endWaitMs = 1000

export const openUpstreamClient = ({
  baseUrl,
  key,
  silenceLimitMs,
  headLimitMs,
  connectLimitMs,
}: ClientOptions): UpstreamClient => {
  const url = new URL(baseUrl)
  const isTls = url.protocol === 'https:'
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const send = isTls ? httpsRequest : httpRequest
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  }
  const target = { protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port }
  const basePath = url.pathname.replace(/\/$/, '')
  return {
    post: (path, body, { stream, signal }) => {
      const options = {
        ...target,
        path: basePath + path,
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      }
      const start = (isRetry: boolean): ClientRequest => {
        const request = send({ ...options, agent: isRetry ? false : agent })
        limitConnecting(request, isTls, connectLimitMs)
        const giveUpAfter = (limitMs: number): void => {
          const giveUp = (): void => void request.destroy(new Error(`the upstream sent nothing for ${limitMs} ms`))
          request.setTimeout(limitMs, giveUp)
        }
        if (stream) giveUpAfter(headLimitMs)
        if (stream && silenceLimitMs !== headLimitMs)
          request.once('response', () => {
            request.removeAllListeners('timeout')
            giveUpAfter(silenceLimitMs)
          })
        // A text is written together with the headers, and bytes after them.
        request.end(body)
        return request
      }
      return openCall(start, signal)
    },
    close: () => agent.destroy(),
  }
}

/** The time-out of a request applies only once it has a connection. */
const limitConnecting = (request: ClientRequest, isTls: boolean, limitMs: number): void => {
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    const giveUp = (): void =>
      void request.destroy(new Error(`the upstream did not accept a connection in ${limitMs} ms`))
    const timer = setTimeout(giveUp, limitMs)
    const end = (): void => clearTimeout(timer)
    socket.once(isTls ? 'secureConnect' : 'connect', end)
    socket.once('close', end)
  })
}

const openCall = (start: (isRetry: boolean) => ClientRequest, signal: AbortSignal): UpstreamCall => {
  const { promise: head, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let request = start(false)
  let response: IncomingMessage | null = null
  let parts: Buffer[] = []
  let heldBytes = 0
  let state: 'open' | 'ended' | 'failed' = 'open'
  let failure: Error | null = null
  let wake: (() => void) | null = null

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
  const onResponse = (arrived: IncomingMessage): void => {
    response = arrived
    arrived.on('data', (bytes: Buffer) => {
      parts.push(bytes)
      heldBytes += bytes.length
      if (heldBytes > mostHeldBytes) arrived.pause()
      changed()
    })
    arrived.on('end', () => {
      if (state === 'open') state = 'ended'
      changed()
    })
    arrived.on('error', fail)
    arrived.on('close', () => {
      // Every response is closed; an error is created only for one that was not complete.
      if (state === 'open') fail(new Error('the upstream broke off its response'))
    })
    resolve(arrived)
  }
  const listen = (isRetry: boolean): void => {
    request.on('response', onResponse)
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The upstream closed an idle connection at the moment it was used: the request was not read.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET' && response === null && !signal.aborted
      if (isRetry || !isStale) return fail(error)
      request = start(true)
      listen(true)
    })
  }
  const onAbort = (): void => {
    fail(new Error('aborted'))
    request.destroy()
  }
  listen(false)
  head.catch(() => {})
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  const closeLater = (unread: IncomingMessage): void => {
    unread.removeAllListeners('data')
    unread.resume()
    const timer = setTimeout(() => request.destroy(), endWaitMs)
    unread.once('close', () => clearTimeout(timer))
  }
  return {
    head,
    isSent: () => request.writableFinished,
    take() {
      if (parts.length === 0) {
        if (state === 'failed') throw failure
        return state === 'ended' ? null : undefined
      }
      const bytes = parts.length === 1 ? parts[0] : Buffer.concat(parts)
      parts = []
      if (heldBytes > mostHeldBytes) response?.resume()
      heldBytes = 0
      return bytes
    },
    changed: () => new Promise((resolveChange) => (wake = resolveChange)),
    close(isComplete) {
      signal.removeEventListener('abort', onAbort)
      if (state !== 'open') return
      state = 'ended'
      if (isComplete && response !== null) closeLater(response)
      else request.destroy()
    },
  }
}
