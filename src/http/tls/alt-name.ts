import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { OperatorError } from '../../base/operator-error.ts'

/** A name in a certificate: an address as bytes, or a domain in ASCII. */
export type AltName = { kind: 'ip'; text: string; bytes: Uint8Array } | { kind: 'dns'; text: string }

const domain = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/

export const altName = (host: string): AltName => {
  // A zone (`%eth0`) means something on one machine only, so it has no place in a certificate.
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const family = isIP(address)
  if (family === 4) return { kind: 'ip', text: address, bytes: Buffer.from(address.split('.').map(Number)) }
  if (family === 6) return { kind: 'ip', text: address, bytes: ipv6Bytes(address) }
  const text = domainToASCII(host.replace(/\.$/, ''))
  if (text.length > 253 || !domain.test(text)) {
    throw new OperatorError(`'${host}' is not a host name or IP address that a certificate can contain`)
  }
  return { kind: 'dns', text }
}

/** The URL parser writes every spelling of an address the same way: lower case, one `::`, no dotted end. */
const ipv6Bytes = (address: string): Buffer => {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = canonical.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const before = groups(head)
  const after = groups(tail)
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const words = [...before, ...gap, ...after].map((group) => group.padStart(4, '0'))
  return Buffer.from(words.join(''), 'hex')
}
