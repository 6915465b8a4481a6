import { ApiError } from '../base/api-error.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpRoute } from '../http/route.ts'
import type { KeyGuard } from '../keys/key-guard.ts'
import type { Role } from '../store/team-contract.ts'
import type { Member, NodeCaller } from './callers.ts'
import { mayCompress } from './may-compress.ts'
import type { Route } from './route.ts'

/** Who may use the site's own routes. Both throw an `ApiError` if the caller may not. */
export type PageGuard = {
  /** The request comes from a page of the site. */
  visitor(exchange: Exchange): void
  /**
   * The caller is signed in, and a request that changes something comes from a page of the site. If a role is required, they
   * have it in the organisation that the page shows.
   */
  member(exchange: Exchange, role: Role | null): Promise<Member>
}

/** Which node of the cluster has sent a request. Throws an `ApiError` if none has. */
export type NodeGuard = (exchange: Exchange) => Promise<NodeCaller>

type RouteGuards = { keyGuard: KeyGuard; pageGuard: PageGuard; nodeGuard: NodeGuard }

const noRoute = (): never => {
  throw new Error('no route has this access')
}

/** For kinds of access that none of the routes has. */
export const noGuards: RouteGuards = {
  keyGuard: { authenticate: noRoute, authorise: noRoute },
  pageGuard: { visitor: noRoute, member: noRoute },
  nodeGuard: noRoute,
}

/** A key in a header of its own counts as a bearer token. */
const readAuthorization = ({ request: { headers }, style: { keyHeader } }: Exchange): string | undefined => {
  if (headers.authorization !== undefined || keyHeader === null) return headers.authorization
  const { [keyHeader]: key } = headers
  return typeof key === 'string' ? `Bearer ${key}` : undefined
}

/** The routes as they are served: the caller is authenticated as each requires, before its handler is called. */
export const guardRoutes = (routes: readonly Route[], guards: RouteGuards): HttpRoute[] =>
  routes.map((route) => {
    const { method, path, except, style, isProbe, onError } = route
    return {
      ...{ method, path, handle: (exchange) => callRoute(exchange, route, guards) },
      ...(except === undefined ? {} : { except }),
      ...(style === undefined ? {} : { style }),
      ...(isProbe === undefined ? {} : { isProbe }),
      ...(onError === undefined ? {} : { onError }),
      ...(route.access === 'key' ? { isKeyed: true } : {}),
      ...(route.access === 'socket' ? { isLocal: true } : {}),
    }
  })

const callRoute = async (
  exchange: Exchange,
  route: Route,
  { keyGuard, pageGuard, nodeGuard }: RouteGuards,
): Promise<void> => {
  if (route.access === 'node') {
    const caller = await nodeGuard(exchange)
    exchange.caller = caller
    return route.handle(exchange, caller)
  }
  if (route.access === 'key') {
    const { key, ownerId } = await keyGuard.authenticate(readAuthorization(exchange))
    const caller = { keyId: key.id, organisationId: key.organisationId, ownerId, key }
    exchange.caller = caller
    exchange.response.setHeader('openai-organization', caller.organisationId)
    keyGuard.authorise(key, route.scope, exchange.origin.clientAddress)
    return route.handle(exchange, caller)
  }
  if (route.access === 'session' || route.access === 'owner') {
    const member = await pageGuard.member(exchange, route.role ?? null)
    exchange.caller = member
    if (route.access === 'owner' && !member.isOwner) throw ApiError.of('owner_only', {})
    exchange.mayCompress = mayCompress(route, exchange.request)
    return route.handle(exchange, member)
  }
  if (route.access === 'visitor') pageGuard.visitor(exchange)
  return route.handle(exchange)
}
