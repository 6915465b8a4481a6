import type { IncomingHttpHeaders } from 'node:http'
import type { ApiError } from '../base/api-error.ts'
import type { ApiStyle } from './api-style.ts'
import type { Exchange } from './exchange.ts'

/** Handles the requests for one method and path. Guards check who may call it. */
export type HttpRoute = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Paths that match a `{name}` pattern but are other endpoints of the original API, which do not exist here. */
  except?: readonly string[]
  /** Default: OpenAI's style. For a path that two APIs share, a function chooses by the request headers. */
  style?: ApiStyle | ((headers: IncomingHttpHeaders) => ApiStyle)
  /** A health probe, which is called constantly and therefore not logged. */
  isProbe?: true
  /** Called for each request that ends with an error, before it is sent as a response or as the last event of a stream. */
  onError?: (exchange: Exchange, error: ApiError) => void
  /** Requires an API key, so that it may be called under any name of the server. */
  isKeyed?: true
  /** Exists only on a Unix socket of this machine. */
  isLocal?: true
  handle: (exchange: Exchange) => Promise<void> | void
}

export type Match =
  | { outcome: 'found'; route: HttpRoute; params: Record<string, string> }
  | { outcome: 'options' | 'wrong_method'; allowed: string[]; style: HttpRoute['style'] }
  | { outcome: 'unknown'; style: HttpRoute['style'] }

/** Finds the route of a path by its segments; `{name}` matches one segment, percent-decoded, so it may contain a slash. */
export const createRouter = (routes: readonly HttpRoute[]): ((method: string, path: string) => Match) => {
  const entries = routes.map((route) => ({ route, pattern: route.path.split('/') }))
  const find = (method: string, path: string): Match => {
    const segments = path.split('/')
    const allowed: string[] = []
    for (const { route, pattern } of entries) {
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
  /** Errors of a path without a route have the style of the nearest parent path that has one. */
  const nearestStyle = (segments: readonly string[]): HttpRoute['style'] => {
    for (let length = Math.min(segments.length, maxSegments); length > 1; length -= 1) {
      const style = styles.get(segments.slice(0, length).join('/'))
      if (style !== undefined) return style
    }
    return undefined
  }
  /** Nearly every request is for a path without parameters. What such a path matches is kept from its first request on. */
  const kept = new Map<string, Map<string, Match> | null>(
    routes.filter(({ path }) => !path.includes('{')).map(({ path }) => [path, null]),
  )
  const matchesOf = (path: string): Map<string, Match> | undefined => {
    const known = kept.get(path)
    if (known !== null) return known
    const matches = new Map(methods.map((method) => [method, find(method, path)]))
    kept.set(path, matches)
    return matches
  }
  return (method, path) => matchesOf(path)?.get(method) ?? find(method, path)
}

/** No API has a style of its own below this. */
const maxSegments = 4

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
