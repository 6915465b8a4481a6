/**
 * Who is calling and by which address they reached us, when proxies stand in between. Forwarded headers count only from
 * proxies the operator named; from anybody else they are plain text that changes nothing.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { canonicalNetwork, createNetworkList, type NetworkList, parseAddress } from '../base/ip-network.ts'
import { isLoopback } from '../base/is-loopback.ts'
import { OperatorError } from '../base/operator-error.ts'

export type ForwardedOptions = {
  /** IP addresses, CIDR ranges or the word `loopback`. */
  trustedProxies: readonly string[]
  /** The public address of the service, if the operator has set it; it determines host, origin and secure. */
  publicUrl?: string | undefined
  /** The address that the server listens on. Without a public one, a loopback address has only the names of this machine. */
  host?: string | undefined
}
export type RequestOrigin = {
  /** A canonical IP address, or `local` on a Unix socket. */
  clientAddress: string
  /** Whether the client's own connection is encrypted. */
  secure: boolean
  /** Host and port as the client wrote them, the scheme's own port left out; undefined when missing or malformed. */
  host: string | undefined
  origin: string
  /** The host that the client asked for, if it is not the public one. */
  otherHost?: string
  /** The same where no public host is known: the site has only the names of this machine then. */
  otherSiteHost?: string
}
export type LocateRequest = (
  socketAddress: string | undefined,
  headers: IncomingHttpHeaders,
  encrypted: boolean,
) => RequestOrigin

/** What one proxy reported about the hop before it. */
type Hop = { address: string | undefined; proto?: string | undefined; host?: string | undefined }

export const createForwarded = ({ trustedProxies, publicUrl, host }: ForwardedOptions): LocateRequest => {
  const proxies = parseProxies(trustedProxies)
  const named = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl)
  const isOnlyLocal = named === undefined && host !== undefined && isLoopback(host)

  /** Only the last result is cached: most requests come from the same proxy, or on the same connection as the one before. */
  let last: { socketAddress: string; peer: string | undefined; isProxied: boolean } | null = null
  const readPeer = (socketAddress: string) => {
    if (last?.socketAddress === socketAddress) return last
    const peer = parseAddress(socketAddress)
    last = { socketAddress, peer, isProxied: peer !== undefined && proxies.has(peer) }
    return last
  }

  return (socketAddress, headers, encrypted) => {
    const { peer, isProxied } = socketAddress === undefined ? noPeer : readPeer(socketAddress)
    const seen: Hop = isProxied && peer !== undefined ? walk(peer, readHops(headers), proxies.has) : { address: peer }
    const clientAddress = seen.address ?? 'local'
    if (named === undefined) {
      const found = { clientAddress, ...locate(seen, headers, encrypted) }
      if (!isOnlyLocal || peer === undefined) return found
      // A page may write forwarded headers for its own host, so they do not replace Host here.
      const other = [headers.host, seen.host].find((asked) => asked !== undefined && !isOwnName(readHostname(asked)))
      if (other === undefined) return found
      // What is no host name is not repeated.
      return { ...found, otherSiteHost: readHostname(other) === undefined ? '?' : other.slice(0, 200) }
    }
    // A proxy may name its own target in Host; what the client asked for is in the forwarded header, if anywhere.
    const asked = isProxied ? seen.host : headers.host
    if (peer === undefined || asked === undefined || isFor(named, asked, peer)) return { clientAddress, ...named }
    return { clientAddress, ...named, otherHost: asked.slice(0, 200) }
  }
}

const noPeer = { peer: undefined, isProxied: false }

/**
 * Starts at the nearest proxy. Each entry was written by the address to its right, so it is believed only if that
 * address is trusted. Stops at the first untrusted address, or before a malformed entry.
 */
const walk = (peer: string, hops: Hop[], isTrusted: (address: string) => boolean): Hop => {
  const seen: Hop = { address: peer }
  for (const { address, proto, host } of hops.toReversed()) {
    seen.proto = proto ?? seen.proto
    seen.host = host ?? seen.host
    if (address === undefined) break
    seen.address = address
    if (!isTrusted(address)) break
  }
  return seen
}

/**
 * `X-Forwarded-*` wins over `Forwarded` when both are there: nearly every proxy sets the former and passes the latter
 * through as the client sent it. Preferring the standard one would let clients write their own address.
 */
const readHops = (headers: IncomingHttpHeaders): Hop[] => {
  const addresses = entries(headers['x-forwarded-for'])
  const proto = entries(headers['x-forwarded-proto']).at(-1)
  const host = entries(headers['x-forwarded-host']).at(-1)
  if (addresses.length === 0 && proto === undefined && host === undefined) {
    return entries(headers.forwarded).map(parseElement)
  }
  // Proto and host are not kept per hop by most proxies; the last value is the nearest proxy's own.
  const hops: Hop[] = addresses.map((entry) => ({ address: parseNode(entry) }))
  const nearest = hops.pop()
  return [...hops, { address: nearest?.address, proto, host }]
}

/**
 * Split at every comma, quoted or not: no address, scheme or host holds one, and a quotation mark that a client left
 * open must not swallow what the proxies added after it.
 */
const entries = (header: string | string[] | undefined): string[] =>
  header === undefined
    ? []
    : [header]
        .flat()
        .join(',')
        .split(',')
        .map((entry) => entry.trim())

const parameter = /^([a-z]+)=(?:"([^"\\]*)"|([^\s"\\]+))$/i

/** One element of RFC 7239; an empty hop if anything in it is malformed or duplicated. */
const parseElement = (element: string): Hop => {
  const values = new Map<string, string>()
  for (const pair of element.split(';')) {
    const [, name, quoted, plain] = parameter.exec(pair.trim()) ?? []
    if (name === undefined || values.has(name.toLowerCase())) return { address: undefined }
    values.set(name.toLowerCase(), quoted ?? plain ?? '')
  }
  return { address: parseNode(values.get('for') ?? ''), proto: values.get('proto'), host: values.get('host') }
}

/** An address as proxies write it: bare, with a port, or in brackets. */
const parseNode = (node: string): string | undefined => {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(node) ?? []
  return parseAddress(bracketed ?? dotted ?? node)
}

const locate = (seen: Hop, headers: IncomingHttpHeaders, encrypted: boolean): Omit<RequestOrigin, 'clientAddress'> => {
  const secure = parseProto(seen.proto) ?? encrypted
  const scheme = secure ? 'https' : 'http'
  const url = parseHost(scheme, seen.host) ?? parseHost(scheme, headers.host)
  // HTTP/1.0 may come without a host, and a link has to lead somewhere.
  return { secure, host: url?.host, origin: url?.origin ?? `${scheme}://localhost` }
}

/**
 * Whether the public name was asked for, on any port. A page of another site can have its own name resolved to this server
 * (DNS rebinding), and would then be treated as part of this one. Programs on this machine may use its loopback names.
 */
const isFor = (named: Pick<RequestOrigin, 'origin'>, asked: string, peer: string): boolean => {
  const hostname = readHostname(asked)
  if (hostname === undefined) return false
  return hostname === new URL(named.origin).hostname || (isLoopback(peer) && isOwnName(hostname))
}

const readHostname = (asked: string): string | undefined => {
  const url = parseHost('http', asked)?.origin
  return url === undefined ? undefined : new URL(url).hostname
}

/** No other machine can have these names: systems and browsers do not ask DNS for them (RFC 6761 §6.3). */
const isOwnName = (hostname: string | undefined): boolean => {
  const name = hostname?.replace(/\.$/, '') ?? ''
  return isLoopback(name) || name.endsWith('.localhost')
}

const parseProto = (proto: string | undefined): boolean | undefined => {
  if (proto === undefined || !/^https?$/i.test(proto)) return undefined
  return proto.toLowerCase() === 'https'
}

type ParsedHost = { host: string; origin: string }

/** Only the last result is cached: most requests name the same host. */
let lastParsed: { scheme: string; host: string; parsed: ParsedHost | undefined } | null = null

const parseHost = (scheme: string, host: string | undefined): ParsedHost | undefined => {
  if (host === undefined) return undefined
  if (lastParsed?.host !== host || lastParsed.scheme !== scheme)
    lastParsed = { scheme, host, parsed: readHost(scheme, host) }
  return lastParsed.parsed
}

/** A name in DNS, and a port. Pages and answers repeat the host, so a longer one would make each of them far longer. */
const maxHostLength = 259

const readHost = (scheme: string, written: string): ParsedHost | undefined => {
  if (written.length > maxHostLength || !/^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(written)) return undefined
  const url = URL.parse(`${scheme}://${written}`)
  return url === null ? undefined : { host: url.host, origin: url.origin }
}

const parsePublicUrl = (text: string): Omit<RequestOrigin, 'clientAddress'> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new OperatorError(`HELIX_PUBLIC_URL: '${text}' is not an http:// or https:// address`)
  }
  return { secure: url.protocol === 'https:', host: url.host, origin: url.origin }
}

const parseProxies = (trustedProxies: readonly string[]): NetworkList => {
  const networks = trustedProxies.flatMap((word) => (word === 'loopback' ? ['127.0.0.0/8', '::1'] : [word]))
  const wrong = networks.find((entry) => canonicalNetwork(entry) === undefined)
  if (wrong !== undefined) {
    throw new OperatorError(
      `HELIX_TRUSTED_PROXIES: '${wrong}' is not an IP address, a CIDR range such as 10.0.0.0/8 or the word 'loopback'`,
    )
  }
  return createNetworkList(networks)
}
