import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalNetwork, createNetworkList, parseAddress } from './ip-network.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/32', '192.0.2.7'],
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['10.255.255.255/9', '10.128.0.0/9'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['2001:db8:ffff::1/33', '2001:db8:8000::/33'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ['::FFFF:a01:203', '10.1.2.3'],
  ['64:ff9b::192.0.2.1/96', '64:ff9b::/96'],
  ['::/0', '::/0'],
])('%s is the network %s', (text, canonical) => {
  expect(canonicalNetwork(text)).toBe(canonical)
  expect(canonicalNetwork(canonical)).toBe(canonical)
})

test.each([
  '',
  ' ',
  'loopback',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0/8',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  '::/129',
  '::g',
])('%j is not a network', (text) => {
  expect(canonicalNetwork(text)).toBeUndefined()
})

test('::ffff:0:0/95 is not a network either: half of it would be IPv4', () => {
  expect(canonicalNetwork('::ffff:0.0.0.0/95')).toBeUndefined()
})

test('an IPv4 address is not in an IPv6 network, and vice versa', () => {
  expect(createNetworkList(['::/0']).has('192.0.2.1')).toBe(false)
  expect(createNetworkList(['0.0.0.0/0']).has('2001:db8::1')).toBe(false)
  expect(createNetworkList(['::ffff:192.0.2.0/120']).has('192.0.2.1')).toBe(true)
})

const number = (address: string): bigint =>
  address.includes(':')
    ? BigInt(`0x${expandForTest(address)}`)
    : BigInt(address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0))
const expandForTest = (address: string): string => {
  const [head = '', tail = ''] = address.split('::')
  const parts = (text: string): string[] => (text === '' ? [] : text.split(':').map((part) => part.padStart(4, '0')))
  const [before, after] = [parts(head), parts(tail)]
  const zeros = new Array<string>(8 - before.length - after.length).fill('0000')
  return [...before, ...zeros, ...after].join('')
}

/** Without a dotted end, which `number` does not read. */
const ipv6 = fc
  .array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
  .map((parts) => parseAddress(parts.map((part) => part.toString(16)).join(':')) ?? '')
  .filter((address) => !address.includes('.'))

test('an address is in a network if it has the same prefix', () => {
  const pair = fc.oneof(
    fc.tuple(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.constant(32)),
    fc.tuple(ipv6, ipv6, fc.integer({ min: 0, max: 128 }), fc.constant(128)),
  )
  fc.assert(
    fc.property(pair, ([base, address, prefix, bits]) => {
      const isInside = number(base) >> BigInt(bits - prefix) === number(address) >> BigInt(bits - prefix)
      const list = createNetworkList([`${base}/${prefix}`])
      expect(list.has(address)).toBe(isInside)
      expect(list.has(base)).toBe(true)
      // The canonical spelling means the same network.
      expect(createNetworkList([canonicalNetwork(`${base}/${prefix}`) ?? '']).has(address)).toBe(isInside)
    }),
    { numRuns: 500 },
  )
})
