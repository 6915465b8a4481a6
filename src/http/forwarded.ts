/**
 * Who is calling and by which address they reached us, when proxies stand in between. Forwarded headers count only from
 * proxies the operator named; from anybody else they are plain text that changes nothing.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, SocketAddress } from 'node:net'
import { OperatorError } from '../base/operator-error.ts'

export type ForwardedOptions = {
  /** IP addresses, CIDR ranges or the word `loopback`. */
  trustedProxies: readonly string[]
  /** What the operator says the service is called; decides host, origin and secure. */
  publicUrl?: string | undefined
}
export type RequestOrigin = {
  /** A canonical IP address, or `local` on a Unix socket. */
  clientAddress: string
  /** Whether the client's own connection is encrypted. */
  secure: boolean
  /** Host and port as the client wrote them, the scheme's own port left out; undefined when missing or malformed. */
  host: string | undefined
  origin: string
}
export type LocateRequest = (
  socketAddress: string | undefined,
  headers: IncomingHttpHeaders,
  encrypted: boolean,
) => RequestOrigin

/** What one proxy said of the hop before it. */
type Hop = { address: string | undefined; proto?: string | undefined; host?: string | undefined }

export const createForwarded = ({ trustedProxies, publicUrl }: ForwardedOptions): LocateRequest => {
  const proxies = parseProxies(trustedProxies)
  const named = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl)
  const isTrusted = (address: string): boolean => proxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')

  return (socketAddress, headers, encrypted) => {
    const peer = socketAddress === undefined ? undefined : parseAddress(socketAddress)
    const seen: Hop =
      peer !== undefined && isTrusted(peer) ? walk(peer, readHops(headers), isTrusted) : { address: peer }
    const clientAddress = seen.address ?? 'local'
    return { clientAddress, ...(named ?? locate(seen, headers, encrypted)) }
  }
}

/**
 * From the nearest proxy outwards. Each entry was written by the address to its right, so it is believed as long as that
 * one is trusted; the walk ends at the first stranger, or before an entry that makes no sense.
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

/** One element of RFC 7239; an empty hop when anything in it is malformed or said twice. */
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

/** One spelling for each address, so that counters keyed by it agree; IPv4 inside IPv6 becomes IPv4. */
const parseAddress = (text: string): string | undefined => {
  const family = isIP(text)
  if (family === 0) return undefined
  if (family === 4) return text
  // A zone (`%eth0`) names a link of one machine and is no part of who the client is.
  const address = text.replace(/%.*$/, '')
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return canonical.replace(/^::ffff:(?=\d+\.)/, '')
}

const locate = (seen: Hop, headers: IncomingHttpHeaders, encrypted: boolean): Omit<RequestOrigin, 'clientAddress'> => {
  const secure = parseProto(seen.proto) ?? encrypted
  const scheme = secure ? 'https' : 'http'
  const url = parseHost(scheme, seen.host) ?? parseHost(scheme, headers.host)
  // HTTP/1.0 may come without a host, and a link has to lead somewhere.
  return { secure, host: url?.host, origin: url?.origin ?? `${scheme}://localhost` }
}

const parseProto = (proto: string | undefined): boolean | undefined => {
  if (proto === undefined || !/^https?$/i.test(proto)) return undefined
  return proto.toLowerCase() === 'https'
}

const parseHost = (scheme: string, host: string | undefined): URL | undefined => {
  if (host === undefined || !/^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) return undefined
  return URL.parse(`${scheme}://${host}`) ?? undefined
}

const parsePublicUrl = (text: string): Omit<RequestOrigin, 'clientAddress'> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new OperatorError(`HELIX_PUBLIC_URL: '${text}' is not an http:// or https:// address`)
  }
  return { secure: url.protocol === 'https:', host: url.host, origin: url.origin }
}

const parseProxies = (trustedProxies: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const entry of trustedProxies.flatMap((word) => (word === 'loopback' ? ['127.0.0.0/8', '::1'] : [word]))) {
    addProxy(list, entry)
  }
  return list
}

const addProxy = (list: BlockList, entry: string): void => {
  const [base = '', prefixText, ...rest] = entry.split('/')
  const address = parseAddress(base)
  const written = isIP(base) === 4 ? 32 : 128
  const prefix = prefixText === undefined ? written : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN
  // `::ffff:10.0.0.0/104` means 10.0.0.0/8.
  const family = address !== undefined && isIP(address) === 4 ? 'ipv4' : 'ipv6'
  const bits = written === 128 && family === 'ipv4' ? prefix - 96 : prefix
  if (address === undefined || rest.length > 0 || !(bits >= 0 && prefix <= written)) {
    throw new OperatorError(
      `HELIX_TRUSTED_PROXIES: '${entry}' is neither an IP address, nor a range such as 10.0.0.0/8, nor the word 'loopback'`,
    )
  }
  list.addSubnet(address, bits, family)
}
