import { X509Certificate } from 'node:crypto'
import { Agent } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { UpstreamTls } from '../engine/remote/upstream-tls.ts'
import type { NodeIdentity } from '../nodes/node-identity.ts'

/** `close` ends what is under way. */
export type NodeTls = UpstreamTls & { close(): void }

type NodeTlsOptions = {
  /** Of the node. */
  id: string
  /** Its certificate, as it registered it. */
  certificate: string
  /** Of this process: the node looks for it among those that are registered. */
  identity: NodeIdentity
}

/**
 * How to reach an engine node. Only its own certificate is accepted, under whatever name it is reached, and nothing is sent
 * before that was checked. TLS 1.3; no session is resumed, because the node would not see our certificate again.
 */
export const openNodeTls = ({ id, certificate, identity }: NodeTlsOptions): NodeTls => {
  const { fingerprint256 } = new X509Certificate(certificate)
  const { certPem: cert, keyPem: key } = identity
  const options: UpstreamTls['options'] = {
    secureContext: createSecureContext({ ca: certificate, cert, key, minVersion: 'TLSv1.3' }),
    rejectUnauthorized: true,
    maxCachedSessions: 0,
    // The name in the address says nothing: machines of a cluster have any.
    checkServerIdentity: (_, shown) =>
      shown.fingerprint256 === fingerprint256 ? undefined : new Error('it has another certificate than the node'),
  }
  const singleUse = new Agent(options)
  const ending = new AbortController()
  return {
    ...{ id, options, singleUse, ended: ending.signal },
    close() {
      ending.abort()
      singleUse.destroy()
    },
  }
}
