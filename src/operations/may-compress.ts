import type { IncomingMessage } from 'node:http'
import type { Route } from './route.ts'

/**
 * Whether the JSON response of a route may be compressed. The size of a compressed response reveals how much of it repeats,
 * so someone who observes the traffic and can place text next to a secret finds out that secret piece by piece (BREACH).
 * Hence two rules, each of which is sufficient:
 *
 * - Only what a signed-in person reads is compressed. Every secret that the site shows (the page token, a new key, a link,
 *   recovery codes) is in the response to a POST or in `/platform/session`, which anyone may request.
 * - Only requests from pages of the site. A browser reports whether another site caused a request, and an attacker who cannot
 *   cause requests has nothing to measure.
 *
 * `/v1` is never compressed: its responses are for programs, and its streams must not wait in a compressor.
 */
export const mayCompress = (
  { method, access }: Pick<Route, 'method' | 'access'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
): boolean => {
  const isRead = method === 'GET' && (access === 'session' || access === 'owner')
  const site = headers['sec-fetch-site']
  return isRead && (site === undefined || site === 'same-origin')
}
