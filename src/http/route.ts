import type { IncomingHttpHeaders } from 'node:http'
import type { ApiError } from '../base/api-error.ts'
import type { AccessScope, KeyRecord } from '../store/contract.ts'
import type { Role } from '../store/team-contract.ts'
import type { ApiStyle } from './api-style.ts'
import type { Exchange } from './exchange.ts'

/** The key that a request was sent with, and the organisation that it counts for. */
export type KeyCaller = { keyId: string; organisationId: string; ownerId: string; key: KeyRecord }

/** A person who is signed in. */
export type Person = {
  accountId: string
  sessionId: string
  /** The owner of the server. */
  isOwner: boolean
  /** Whether the session was opened with more than a password. */
  hasSecondFactor: boolean
  /** When they last confirmed their identity in it. */
  confirmedAt: number
}

/** A person who is signed in, and the organisation they act for. */
export type Member = Person & { organisationId: string; ownerId: string; role: Role }

/** Another node of the cluster, and the organisation for which it asks. */
export type NodeCaller = { nodeId: string; organisationId: string; ownerId: string }

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
export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Paths that look like one with a name, and are not: other endpoints of the API that do not exist here. */
  except?: readonly string[]
  /** Default: that of OpenAI. A path that two APIs have chooses by the headers of a request. */
  style?: ApiStyle | ((headers: IncomingHttpHeaders) => ApiStyle)
  /** By which something finds out, all the time, whether the server works: not logged. */
  isProbe?: true
  /** Called for each request that ends with an error, before it is sent as a response or as the last event of a stream. */
  onError?: (exchange: Exchange, error: ApiError) => void
} & (
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

export type Match =
  | { outcome: 'found'; route: Route; params: Record<string, string> }
  | { outcome: 'options' | 'wrong_method'; allowed: string[]; style: Route['style'] }
  | { outcome: 'unknown'; style: Route['style'] }

/** Finds the route of a path by its segments; `{name}` matches one segment, percent-decoded, so it may contain a slash. */
export const createRouter = (routes: readonly Route[]): ((method: string, path: string) => Match) => {
  const entries = routes.map((route) => ({ route, pattern: route.path.split('/') }))
  const matching = (path: string) => {
    const segments = path.split('/')
    return entries.filter(({ pattern }) => matchSegments(pattern, segments) !== null)
  }
  const find = (method: string, path: string, among: typeof entries): Match => {
    const segments = path.split('/')
    const allowed: string[] = []
    for (const { route, pattern } of among) {
      const params = matchSegments(pattern, segments)
      if (params === null || route.except?.includes(path)) continue
      if (route.method === method || (route.method === 'GET' && method === 'HEAD'))
        return { outcome: 'found', route, params }
      allowed.push(...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))
    }
    const style = nearestStyle(segments)
    if (allowed.length === 0) return { outcome: 'unknown', style }
    return { outcome: method === 'OPTIONS' ? 'options' : 'wrong_method', allowed: [...allowed, 'OPTIONS'], style }
  }
  const styles = new Map(routes.flatMap(({ path, style }) => (style === undefined ? [] : [[path, style]])))
  /** Errors of a path without a route look like those of the path above it that has one. */
  const nearestStyle = (segments: readonly string[]): Route['style'] => {
    for (let length = Math.min(segments.length, mostSegments); length > 1; length -= 1) {
      const style = styles.get(segments.slice(0, length).join('/'))
      if (style !== undefined) return style
    }
    return undefined
  }
  // Nearly every request is for a path without names: what matches it is found once.
  const byPath = new Map(
    routes
      .filter(({ path }) => !path.includes('{'))
      .map(({ path }) => {
        const among = matching(path)
        return [path, new Map(methods.map((method) => [method, find(method, path, among)]))]
      }),
  )
  return (method, path) => byPath.get(path)?.get(method) ?? find(method, path, entries)
}

/** No API has a style of its own below this. */
const mostSegments = 4

const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']

const matchSegments = (pattern: string[], segments: string[]): Record<string, string> | null => {
  if (pattern.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (!expected.startsWith('{')) {
      if (expected !== segment) return null
      continue
    }
    const value = decodeSegment(segment)
    if (value === null || value === '') return null
    params[expected.slice(1, -1)] = value
  }
  return params
}

const decodeSegment = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
