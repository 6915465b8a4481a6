import { BlockList, isIP, SocketAddress } from 'node:net'

/** Returns the canonical form of an address, for use as a key; IPv4-mapped IPv6 becomes IPv4. */
export const parseAddress = (text: string): string | undefined => {
  const family = isIP(text)
  if (family === 0) return undefined
  if (family === 4) return text
  // A zone (`%eth0`) names a local link and does not identify the client.
  const address = text.replace(/%.*$/, '')
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return canonical.replace(/^::ffff:(?=\d+\.)/, '')
}

type Family = 'ipv4' | 'ipv6'
type Network = { address: string; prefix: number; family: Family }

const addressFamily = (address: string): Family => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
const addressBits = { ipv4: 32, ipv6: 128 } as const

/** Parses an address, or a network such as `10.0.0.0/8` or `::ffff:10.0.0.0/104`. Undefined for anything else. */
const parseNetwork = (text: string): Network | undefined => {
  const [base = '', prefixText, ...rest] = text.split('/')
  const address = parseAddress(base)
  if (address === undefined || rest.length > 0) return undefined
  const family = addressFamily(address)
  const written = isIP(base) === 4 ? 32 : 128
  if (prefixText === undefined) return { address, prefix: addressBits[family], family }
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) - (written - addressBits[family]) : -1
  return prefix >= 0 && prefix <= addressBits[family] ? { address, prefix, family } : undefined
}

/** Returns the canonical form of a network, with host bits cleared; a single address stays an address. */
export const canonicalNetwork = (text: string): string | undefined => {
  const network = parseNetwork(text)
  if (network === undefined) return undefined
  const { address, prefix, family } = network
  return prefix === addressBits[family] ? address : `${firstAddress(network)}/${prefix}`
}

const firstAddress = ({ address, prefix, family }: Network): string => {
  const width = family === 'ipv4' ? 8 : 16
  const parts = family === 'ipv4' ? address.split('.').map(Number) : expand(address)
  const kept = parts.map((part, index) => {
    const bits = Math.min(Math.max(prefix - index * width, 0), width)
    return (part >> (width - bits)) << (width - bits)
  })
  if (family === 'ipv4') return kept.join('.')
  return parseAddress(kept.map((part) => part.toString(16)).join(':')) ?? address
}

/** Returns the eight parts of an IPv6 address; its canonical form may end in an IPv4 address. */
const expand = (address: string): number[] => {
  const [head = '', tail] = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, dottedAsParts).split('::')
  const before = readParts(head)
  const after = readParts(tail ?? '')
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const dottedAsParts = (_: string, ...bytes: string[]): string => {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

const readParts = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16))

export interface NetworkList {
  /** `address` must be in the form that `parseAddress` returns. */
  has(address: string): boolean
}

/** Ignores invalid networks: the caller must first reject them with `canonicalNetwork`. */
export const createNetworkList = (networks: readonly string[]): NetworkList => {
  // One list per family: in a shared list, Node would match IPv4 addresses against `::/0`.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  if (networks.length === 0) return { has: () => false }
  for (const network of networks.map(parseNetwork)) {
    if (network !== undefined) lists[network.family].addSubnet(network.address, network.prefix, network.family)
  }
  return {
    has(address) {
      const family = addressFamily(address)
      return lists[family].check(address, family)
    },
  }
}
