import type { Exchange } from '../http/exchange.ts'
import type { HttpRoute } from '../http/route.ts'
import type { AccessScope } from '../store/contract.ts'
import type { Role } from '../store/team-contract.ts'
import type { KeyCaller, Member, NodeCaller, Person } from './callers.ts'

/**
 * A route says who may call it; there is no default.
 * - `anyone`: no authentication
 * - `key`: a valid API key with the scope that the route names, from a network it may be used from
 * - `visitor`: anyone, but from a page of the site (Origin and token are checked)
 * - `session`: a person who is signed in; requests that change something must come from a page of the site. With a `role`
 *   they need that role or a higher one in the organisation they act for; without, the route concerns only themselves
 * - `owner`: the owner of the server, likewise
 * - `node`: another node of the cluster, by its certificate
 * - `socket`: only through the Unix socket in the data directory, which only its owner can open
 */
export type Route = Omit<HttpRoute, 'isKeyed' | 'isLocal' | 'handle'> &
  (
    | { access: 'anyone' | 'visitor' | 'socket'; handle: (exchange: Exchange) => Promise<void> | void }
    | { access: 'node'; handle: (exchange: Exchange, caller: NodeCaller) => Promise<void> | void }
    | {
        access: 'key'
        scope: AccessScope | 'any'
        handle: (exchange: Exchange, caller: KeyCaller) => Promise<void> | void
      }
    | { access: 'session'; role: Role; handle: (exchange: Exchange, member: Member) => Promise<void> | void }
    | { access: 'session'; role?: never; handle: (exchange: Exchange, person: Person) => Promise<void> | void }
    | { access: 'owner'; role?: never; handle: (exchange: Exchange, person: Person) => Promise<void> | void }
  )
