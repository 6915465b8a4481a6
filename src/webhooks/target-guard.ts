import { lookup as lookupName } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { createNetworkList, parseAddress } from '../base/ip-network.ts'

/**
 * Networks that are not of the public Internet: this machine, private networks, link-local addresses with the metadata of clouds,
 * documentation, multicast, addresses that each network answers itself (AS112, AMT), those of Azure's own services on its virtual machines, and IPv6
 * that contains an IPv4 address (NAT64, 6to4, Teredo). Whoever may set up an endpoint must not be able to
 * reach what only the server can.
 */
const closedNetworks = createNetworkList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['168.63.129.16', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '2620:4f:8000::/48'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
])
/** Of IPv6, only this is assigned to the public Internet. */
const globalIpv6 = createNetworkList(['2000::/3'])

/** Why a target is refused: no connection may be made to its address, or none without encryption. */
export class TargetRefused extends Error {
  readonly reason: 'address_not_allowed' | 'insecure'

  constructor(reason: TargetRefused['reason']) {
    super(reason)
    this.reason = reason
  }
}

export interface TargetGuard {
  /** Whether the operator has opened any network: only there, plain HTTP is permitted. */
  readonly hasOpenNetworks: boolean
  /** Throws a `TargetRefused` if the host of a URL is an address that is not permitted. Names are checked by `lookup`. */
  requirePermitted(url: URL): void
  /** Looks up names for a URL, and answers with the permitted addresses only: a connection is made to no other. */
  lookup(url: URL): LookupFunction
}

/** `openNetworks`: those that the operator permits in addition. */
export const createTargetGuard = (
  openNetworks: readonly string[],
  systemLookup: typeof lookupName = lookupName,
): TargetGuard => {
  const opened = createNetworkList(openNetworks)
  const isPermitted = (text: string, { protocol }: URL): boolean => {
    const address = parseAddress(text)
    if (address === undefined) return false
    if (opened.has(address)) return true
    // An address on the Internet gets nothing in the clear.
    return protocol === 'https:' && isPublic(address)
  }
  const refuse = (text: string): TargetRefused => {
    const address = parseAddress(text)
    return new TargetRefused(address !== undefined && isPublic(address) ? 'insecure' : 'address_not_allowed')
  }
  return {
    hasOpenNetworks: openNetworks.length > 0,
    requirePermitted(url) {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isPermitted(host, url)) throw refuse(host)
    },
    lookup: (url) => (hostname, options, callback) => {
      systemLookup(hostname, { ...options, all: true }, (error, found) => {
        if (error !== null) return callback(error, [])
        const permitted = found.filter(({ address }) => isPermitted(address, url))
        const [first] = permitted
        if (first === undefined) return callback(refuse(found[0]?.address ?? ''), [])
        if (options.all === true) callback(null, permitted)
        else callback(null, first.address, first.family)
      })
    },
  }
}

const isPublic = (address: string): boolean =>
  !closedNetworks.has(address) && (isIP(address) === 4 || globalIpv6.has(address))
