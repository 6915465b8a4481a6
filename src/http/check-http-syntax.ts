import type { IncomingMessage } from 'node:http'

/**
 * Whether a head violates RFC 9112 in a way that Node's parser accepts: another version (§2.3), a missing or duplicate
 * Host (§3.2), or a transfer coding that an intermediary may have read differently (§6.1). If it is unclear where a
 * request ends, nothing after it on the connection can be trusted.
 */
export const isFaultyHead = ({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean => {
  const coding = headers['transfer-encoding']
  const hosts = countHosts(rawHeaders)
  if (httpVersion === '1.1') return hosts !== 1 || (coding !== undefined && !/^chunked$/i.test(coding))
  return httpVersion !== '1.0' || hosts > 1 || coding !== undefined
}

/** Names and values in turn. Node's own list by names would be built for every request, for this alone. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && (name === 'host' || name === 'Host' || name.toLowerCase() === 'host')) hosts += 1
  }
  return hosts
}
