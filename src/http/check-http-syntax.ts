import type { IncomingMessage } from 'node:http'

/**
 * Whether a head violates RFC 9112 in a way that Node's parser accepts: another version (§2.3), a missing or duplicate
 * Host (§3.2), or a transfer coding that an intermediary may have read differently (§6.1). If it is unclear where a
 * request ends, nothing after it on the connection can be trusted.
 */
export const isFaultyHead = ({ httpVersion, headers, headersDistinct }: IncomingMessage): boolean => {
  const coding = headers['transfer-encoding']
  const hosts = headersDistinct.host?.length ?? 0
  if (httpVersion === '1.1') return hosts !== 1 || (coding !== undefined && !/^chunked$/i.test(coding))
  return httpVersion !== '1.0' || hosts > 1 || coding !== undefined
}
