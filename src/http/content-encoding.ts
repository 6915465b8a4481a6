import type { IncomingMessage } from 'node:http'

export type ContentEncoding = 'br' | 'gzip' | 'identity'

/** The best encoding that the client accepts (RFC 9110 §12.5.3); `q=0` means not accepted. */
export const contentEncoding = ({ headers }: Pick<IncomingMessage, 'headers'>): ContentEncoding => {
  const accepted = String(headers['accept-encoding'] ?? '')
    .slice(0, 500)
    .toLowerCase()
    .split(',')
  const accepts = (coding: string): boolean =>
    accepted.some((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
      return name === coding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
    })
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
}
