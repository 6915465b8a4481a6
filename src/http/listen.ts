import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { ApiError } from '../base/api-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import { makeSocketPrivate } from './control-socket.ts'
import type { Arrival } from './create-exchange.ts'
import type { Dispatch } from './dispatch.ts'
import { readPeer } from './passed-on.ts'
import { readBeforeCutting } from './read-before-cutting.ts'

/** Limits that protect the process from slow clients and oversized requests. */
export type SocketLimits = {
  headerLimitBytes: number
  headersTimeoutMs: number
  bodyTimeoutMs: number
  idleTimeoutMs: number
}

/** With `checkClient`, TLS 1.3 only, and clients are asked for a certificate: it is called for each new connection. */
type ListenTls = { cert: Buffer; key: Buffer; checkClient?: (socket: TLSSocket) => void }

export type ListenTarget =
  /** With `isShared`, other threads listen on the same address. */
  | { host: string; port: number; tls: ListenTls | null; isShared?: boolean }
  /** With `isInternal`, other threads pass requests on from the network. */
  | { socketPath: string; isInternal?: true }

/** What happens on connections. */
export type ListenedDispatch = Pick<Dispatch, 'handle' | 'handleBroken' | 'handleHalfClosed'>

export interface Listener {
  /** Null on a Unix socket. */
  readonly address: AddressInfo | null
  /** New connections get this certificate; existing ones continue. */
  setCertificate(pair: { cert: Buffer; key: Buffer }): void
  /**
   * Accepts no new connections, lets running requests end, and resolves when all connections are closed. With `keepsIdle`,
   * connections that wait to be accepted are accepted first, and idle ones stay open until somebody closes them.
   */
  close(how?: { keepsIdle: boolean }): Promise<void>
  closeAllConnections(): void
}

export const listen = async (
  target: ListenTarget,
  limits: SocketLimits,
  dispatch: ListenedDispatch,
): Promise<Listener> => {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerLimitBytes,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.bodyTimeoutMs),
    requestTimeout: limits.bodyTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs, limits.bodyTimeoutMs),
    // Node's own error has no JSON, no id and no log event.
    requireHostHeader: false,
  }
  const tls = 'tls' in target ? target.tls : null
  const server = tls === null ? createServer(options) : openTlsServer(options, tls, limits)
  const afterOneTurn = readBeforeCutting(server, limits.bodyTimeoutMs)
  // Node would silently drop headers after the first 2000. The limit in bytes is enough.
  server.maxHeadersCount = 0
  if (tls === null) answerHalfClosed(server, dispatch)
  const sockets = trackSockets(server)
  const isInternal = 'socketPath' in target && target.isInternal === true
  const viaSocket = 'socketPath' in target && !isInternal
  const handleWith = (expects: Arrival['expects']) => (request: IncomingMessage, response: ServerResponse) => {
    const peer = isInternal ? { peer: readPeer(request.headers) } : {}
    dispatch.handle(request, response, { viaSocket, expects, ...peer })
  }
  server.on('request', handleWith('nothing'))
  server.on('checkContinue', handleWith('continue'))
  server.on('checkExpectation', handleWith('unknown'))
  const endBroken = (error: ApiError | null, socket: Socket): void => {
    if (error === null || !socket.writable || socket.bytesRead === 0) socket.destroy()
    else dispatch.handleBroken(error, socket)
  }
  server.on('clientError', (failure: Error & { code?: string }, socket: Socket) => {
    const error = brokenRequestError(failure.code)
    if (failure.code === timedOut) afterOneTurn(socket, () => endBroken(error, socket))
    else endBroken(error, socket)
  })
  // Proxying is not supported, and Node would disconnect without an error.
  server.on('connect', (_, socket: Socket) => dispatch.handleBroken(ApiError.of('malformed_http', {}), socket))
  await bind(server, target)
  return {
    address: boundAddress(server),
    setCertificate(pair) {
      if ('setSecureContext' in server) server.setSecureContext(pair)
    },
    async close(how) {
      if (how?.keepsIdle === true) {
        await backlogAccepted(server)
        await stopListening(server)
      }
      await closeServer(server)
    },
    closeAllConnections() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const openTlsServer = (
  options: ServerOptions,
  { checkClient, ...pair }: ListenTls,
  limits: SocketLimits,
): TlsServer => {
  const secure = { ...options, ...pair, handshakeTimeout: limits.headersTimeoutMs }
  if (checkClient === undefined) return createTlsServer(secure)
  // Node would accept only certificates signed by an authority. TLS itself verifies that a client has the private key
  // of its certificate.
  const server = createTlsServer({ ...secure, minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: false })
  server.on('secureConnection', checkClient)
  return server
}

const bind = (server: Server, target: ListenTarget): Promise<void> =>
  new Promise((resolve, reject) => {
    const onError = (error: Error & { code?: string }): void => reject(bindError(error, target))
    server.once('error', onError)
    const bound = (): void => {
      server.off('error', onError)
      if ('socketPath' in target) makeSocketPrivate(target.socketPath)
      resolve()
    }
    if ('socketPath' in target) server.listen(target.socketPath, bound)
    else if (target.isShared !== true) server.listen(target.port, target.host, bound)
    else server.listen({ port: target.port, host: target.host, reusePort: true }, bound)
  })

const bindReasons: Record<string, string> = {
  EADDRINUSE: 'the address is in use by another program; choose another port with HELIX_PORT',
  EACCES: 'permission denied; ports below 1024 require root privileges',
  EADDRNOTAVAIL: 'this machine does not have that address; check HELIX_HOST',
  ENOTFOUND: 'host not found; check HELIX_HOST',
}

const bindError = (error: Error & { code?: string }, target: ListenTarget): Error => {
  const place = 'socketPath' in target ? target.socketPath : `${target.host}:${target.port}`
  return new OperatorError(`Cannot listen on ${place}: ${bindReasons[error.code ?? ''] ?? error.message}`)
}

const boundAddress = (server: Server): AddressInfo | null => {
  const address = server.address()
  return typeof address === 'object' ? address : null
}

/** The maximum number of turns: under a flood of connections there are always more. */
const maxTurns = 100

/**
 * When a server stops listening, connections that wait to be accepted are reset, perhaps with a request on them that a proxy
 * does not repeat. Resolves once a turn of the event loop brought no more.
 */
const backlogAccepted = async (server: Server): Promise<void> => {
  let accepted = 0
  const count = (): void => {
    accepted += 1
  }
  server.on('connection', count)
  // Two quiet turns, because the connections of the first may have been accepted before it.
  for (let turn = 0, quiet = 0; turn < maxTurns && quiet < 2; turn += 1) {
    const before = accepted
    await new Promise<void>((resolve) => setImmediate(resolve))
    quiet = accepted === before ? quiet + 1 : 0
  }
  server.off('connection', count)
}

/** Node's `close` of a server for HTTP would disconnect idle connections, perhaps with a request on its way. */
const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => void NetServer.prototype.close.call(server, () => resolve()))

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })

/**
 * A client may end its side once it has sent its request, and still gets its response (RFC 9112 §9.6). Node would disconnect.
 * With TLS it does: there, ending one side ends the connection for nearly all clients.
 */
const answerHalfClosed = (server: Server, dispatch: ListenedDispatch): void => {
  // Node's types do not declare it.
  Reflect.set(server, 'httpAllowHalfOpen', true)
  server.on('connection', (socket: Socket) => socket.on('end', () => dispatch.handleHalfClosed(socket)))
}

/** Node's own list omits connections that have not completed their TLS handshake. */
const trackSockets = (server: Server): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  return sockets
}

const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Null if there is no one to respond to: the client disconnected, or its TLS handshake failed. */
const brokenRequestError = (code = ''): ApiError | null => {
  if (!/^(HPE|ERR_HTTP)_/.test(code) || code === 'HPE_INVALID_EOF_STATE') return null
  if (code === 'HPE_HEADER_OVERFLOW') return ApiError.of('headers_too_large', {})
  if (code === timedOut) return ApiError.of('request_timeout', {})
  return ApiError.of('malformed_http', {})
}
