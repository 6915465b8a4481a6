import type { IncomingMessage } from 'node:http'

/**
 * What Node's parser lets through and RFC 9112 does not: other versions (§2.3), a Host that is missing or there twice
 * (§3.2), and a transfer coding that another server on the way may have read differently (§6.1). Where it is in doubt where
 * a request ends, nothing behind it can be trusted.
 */
export const isFaultyHead = ({ httpVersion, headers, headersDistinct }: IncomingMessage): boolean => {
  const coding = headers['transfer-encoding']
  const hosts = headersDistinct.host?.length ?? 0
  if (httpVersion === '1.1') return hosts !== 1 || (coding !== undefined && !/^chunked$/i.test(coding))
  return httpVersion !== '1.0' || hosts > 1 || coding !== undefined
}
