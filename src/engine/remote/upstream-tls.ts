import type { Agent } from 'node:https'
import type { PeerCertificate, SecureContext } from 'node:tls'

/** How to reach an upstream so that both sides authenticate each other. Others are reached as any web server is. */
export type UpstreamTls = {
  /** Changes with the certificates. */
  readonly id: string
  readonly options: {
    readonly secureContext: SecureContext
    readonly rejectUnauthorized: true
    readonly maxCachedSessions: number
    checkServerIdentity(host: string, shown: PeerCertificate): Error | undefined
  }
  /** The same for requests on a connection of their own. */
  readonly singleUse: Agent
  /** Aborted once it is gone: connections to it end, with what is under way on them. */
  readonly ended: AbortSignal
}

/** Tells an engine node for which organisation it answers: organisations take turns, and do not share cached prompts. */
export const organisationHeader = 'x-helix-organisation'
