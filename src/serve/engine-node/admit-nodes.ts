import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { ApiError } from '../../base/api-error.ts'
import { errorText, type Log } from '../../base/log.ts'
import { callerInHeaders } from '../../engine/remote/upstream-tls.ts'
import type { NodeGuard } from '../../operations/guard-routes.ts'
import type { NodeTrust } from './node-trust.ts'

/** Only servers of this cluster may use an engine node. Checked for each connection, and again for each request on it. */
export interface AdmitNodes {
  /** Ends a connection that is not that of a server. */
  checkClient(socket: TLSSocket): void
  guard: NodeGuard
}

const retryMs = 1_000

export const createAdmitNodes = (trust: NodeTrust, log: Log): AdmitNodes => {
  const refuse = (socket: TLSSocket, reason: string): void => {
    log.warn('node_refused', { address: socket.remoteAddress ?? '', reason })
    socket.destroy()
  }
  return {
    checkClient(socket) {
      const fingerprint = readFingerprint(socket)
      if (fingerprint === null) return refuse(socket, 'it has no certificate')
      // If the nodes cannot be read, its requests are answered with an error.
      trust.findServer(fingerprint).then(
        (id) => (id === null ? refuse(socket, 'its certificate is not that of a server of this cluster') : undefined),
        () => {},
      )
    },
    async guard({ request: { socket, headers } }) {
      const fingerprint = readFingerprint(socket)
      const nodeId = fingerprint === null ? null : await trust.findServer(fingerprint).catch(unreadable)
      if (nodeId === null) throw ApiError.of('node_not_registered', {}, { retryAfterMs: retryMs })
      return { nodeId, ...callerInHeaders(headers) }
    },
  }
}

const unreadable = (error: unknown): never => {
  throw ApiError.of('node_not_registered', {}, { retryAfterMs: retryMs, cause: errorText(error) })
}

/** Null without a certificate. A resumed session would show an old one, so none is accepted. */
const readFingerprint = (socket: Socket): string | null => {
  if (!(socket instanceof TLSSocket) || socket.isSessionReused()) return null
  return socket.getPeerX509Certificate()?.fingerprint256 ?? null
}
