import type { IncomingMessage } from 'node:http'
import type { Route } from './route.ts'

/**
 * Whether the JSON answer of a route may be compressed. The size of a compressed answer says how much of it repeats, so
 * somebody who watches the wire and can put text of their own beside a secret finds out that secret piece by piece (BREACH).
 * Hence two rules, each of which is enough:
 *
 * - Only what a signed-in person reads is compressed. Every secret that the site shows (the page token, a new key, a link,
 *   recovery codes) is in the answer to a POST or in `/platform/session`, which anyone may ask for.
 * - Only a page of ours gets it so. A browser says of a request whether another site caused it, and somebody who cannot
 *   cause requests has nothing to measure.
 *
 * `/v1` is left alone: its answers are for programs, and its streams must not wait in a compressor.
 */
export const mayCompress = (
  { method, access }: Pick<Route, 'method' | 'access'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
): boolean => {
  const isRead = method === 'GET' && (access === 'session' || access === 'owner')
  const site = headers['sec-fetch-site']
  return isRead && (site === undefined || site === 'same-origin')
}
