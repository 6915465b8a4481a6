import { isIPv6 } from 'node:net'

/** The unit for limits by address: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer. */
export const toNetwork = (address: string): string => {
  // The expression behind `isIPv6` is long, and no other address has a colon.
  if (!address.includes(':') || !isIPv6(address)) return address
  const [front = '', back] = address.split('::')
  const first = front === '' ? [] : front.split(':')
  const last = back === undefined || back === '' ? [] : back.split(':')
  const middle = back === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return `${[...first, ...middle, ...last].slice(0, 4).join(':')}::/64`
}
