import type { IncomingHttpHeaders } from 'node:http'
import type { Agent } from 'node:https'
import type { PeerCertificate, SecureContext } from 'node:tls'
import type { EngineCaller } from '../contract.ts'

/** How to reach an upstream so that both sides authenticate each other. Upstreams without it are reached like any web server. */
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

/** Tells an engine node for which organisation it answers: organisations do not share cached prompts. */
const organisationHeader = 'x-helix-organisation'
/** Tells it the owner of the organisation: owners take turns. */
const ownerHeader = 'x-helix-owner'

export const callerHeaders = ({ cacheScope, ownerId }: EngineCaller): Record<string, string> => ({
  [organisationHeader]: cacheScope,
  [ownerHeader]: ownerId,
})

const idPattern = /^[\w-]{1,64}$/

/** Probes and tests of a server itself have no organisation. */
const noOrganisation = 'none'

/** Reads them from a server's request. Servers of an earlier version name no owner: each of their organisations counts as one. */
export const callerInHeaders = (headers: IncomingHttpHeaders): { organisationId: string; ownerId: string } => {
  const idIn = (name: string, otherwise: string): string => {
    const { [name]: id } = headers
    return typeof id === 'string' && idPattern.test(id) ? id : otherwise
  }
  const organisationId = idIn(organisationHeader, noOrganisation)
  return { organisationId, ownerId: idIn(ownerHeader, organisationId) }
}
