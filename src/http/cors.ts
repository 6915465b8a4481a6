import type { IncomingHttpHeaders } from 'node:http'

/**
 * Lets scripts on web pages call the API and read its answers. Cookies mean nothing here, so credentials are never allowed.
 * `allowed` has the methods of the path where the request asks for them (OPTIONS), else it is null.
 */
export type CorsHeaders = (headers: IncomingHttpHeaders, allowed: readonly string[] | null) => Record<string, string>

export const createCors = (origins: readonly string[]): CorsHeaders => {
  if (origins.length === 0) return () => ({})
  const anyOrigin = origins.includes('*')
  const named = new Set(origins)
  // If the response depends on the origin, even a refusal, a cache must not serve it to another origin.
  const vary: Record<string, string> = anyOrigin ? {} : { vary: 'Origin' }
  return (headers, allowed) => {
    const { origin } = headers
    const granted = anyOrigin ? '*' : origin !== undefined && named.has(origin) ? origin : null
    if (granted === null) return vary
    const isPreflight = allowed !== null && headers['access-control-request-method'] !== undefined
    return {
      ...vary,
      'access-control-allow-origin': granted,
      'access-control-expose-headers': exposedHeaders,
      ...(isPreflight ? preflightHeaders(headers, allowed) : {}),
    }
  }
}

const preflightHeaders = (headers: IncomingHttpHeaders, allowed: readonly string[]): Record<string, string> => {
  const asked = headers['access-control-request-headers'] ?? ''
  return {
    'access-control-allow-methods': allowed.join(', '),
    'access-control-allow-headers': isTokenList(asked) ? asked : usualHeaders,
    'access-control-max-age': '86400',
  }
}

/** Names of headers and nothing else, so that they can be sent back as they came. */
const isTokenList = (text: string): boolean =>
  text.length <= 2000 && /^[!#$%&'*+.^_`|~\w-]+( *, *[!#$%&'*+.^_`|~\w-]+)*$/.test(text)

const exposedHeaders = [
  'x-request-id',
  'request-id',
  'openai-processing-ms',
  'openai-version',
  'openai-organization',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  ...['limit', 'remaining', 'reset', 'scope'].flatMap((what) => [
    `x-ratelimit-${what}-requests`,
    `x-ratelimit-${what}-tokens`,
  ]),
  'idempotent-replayed',
  'x-helix-ignored-fields',
  'x-helix-ignored-tools',
  'x-helix-upstream',
  'x-helix-attempts',
  'x-helix-cache',
  'x-helix-hooks',
  ...['requests', 'tokens'].flatMap((what) =>
    ['limit', 'remaining', 'reset'].map((part) => `anthropic-ratelimit-${what}-${part}`),
  ),
].join(', ')

/** What the official clients send from a browser, for a preflight that does not say what it needs. */
const usualHeaders = [
  'authorization',
  'x-api-key',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'x-helix-strict',
  'x-helix-cache',
  'anthropic-version',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  ...['organization', 'project', 'beta'].map((name) => `openai-${name}`),
  ...['arch', 'lang', 'os', 'package-version', 'runtime', 'runtime-version'].map((name) => `x-stainless-${name}`),
  ...['retry-count', 'timeout', 'async', 'read-timeout', 'raw-response'].map((name) => `x-stainless-${name}`),
  ...['helper-method', 'poll-helper', 'custom-poll-interval'].map((name) => `x-stainless-${name}`),
].join(', ')
