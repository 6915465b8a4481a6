import type { IncomingHttpHeaders } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createForwarded } from './forwarded.ts'

const proxies = ['10.0.0.0/8', '192.168.1.1', '2001:db8:5::/48', 'loopback']
const resolve = createForwarded({ trustedProxies: proxies })
const client = (peer: string | undefined, headers: IncomingHttpHeaders) => resolve(peer, headers, false).clientAddress
const through = (headers: IncomingHttpHeaders) => resolve('10.0.0.1', { host: 'inner:8080', ...headers }, false)

describe('without a trusted proxy', () => {
  test('the client is the peer of the socket, and the host is that of the request', () => {
    const headers = { host: 'Api.Example.com:443', 'x-forwarded-for': '1.1.1.1', 'x-forwarded-proto': 'http' }
    expect(resolve('203.0.113.9', headers, true)).toEqual({
      clientAddress: '203.0.113.9',
      secure: true,
      host: 'api.example.com',
      origin: 'https://api.example.com',
    })
  })

  test('a Unix socket is local, whatever its headers say', () => {
    expect(resolve(undefined, { 'x-forwarded-for': '1.1.1.1', 'x-forwarded-host': 'evil.example' }, false)).toEqual({
      clientAddress: 'local',
      secure: false,
      host: undefined,
      origin: 'http://localhost',
    })
  })

  test('no header from an untrusted client ever changes the result', () => {
    const text = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('https', 'for=1.1.1.1;proto=https', '10.0.0.1'),
    )
    const headers = fc.record(
      { 'x-forwarded-for': text, 'x-forwarded-proto': text, 'x-forwarded-host': text, forwarded: text },
      { requiredKeys: [] },
    )
    const stranger = fc.constantFrom('203.0.113.9', '11.0.0.1', '2001:db8:6::1', '::ffff:192.168.1.2', undefined)
    const same = (peer: string | undefined, forged: IncomingHttpHeaders, encrypted: boolean) => {
      const host = 'api.example.com'
      expect(resolve(peer, { host, ...forged }, encrypted)).toEqual(resolve(peer, { host }, encrypted))
    }
    fc.assert(fc.property(stranger, headers, fc.boolean(), same))
  })

  test('a malformed host never reaches a link', () => {
    for (const host of ['a b', 'x"><script>', 'a/b', 'user@host', 'a:99999', 'a:b', '', '[::1', 'a,b', 'a%2fb']) {
      expect(resolve('203.0.113.9', { host }, false)).toMatchObject({ host: undefined, origin: 'http://localhost' })
    }
    expect(resolve('203.0.113.9', { host: '[::1]:8080' }, false).origin).toBe('http://[::1]:8080')
  })

  test('a host longer than any name never reaches a link either', () => {
    const longest = `${'a'.repeat(253)}:65535`
    expect(resolve('203.0.113.9', { host: longest }, false).origin).toBe(`http://${longest}`)
    expect(resolve('203.0.113.9', { host: `a${longest}` }, false).host).toBeUndefined()
  })
})

describe('the client behind trusted proxies', () => {
  test.each([
    ['one proxy', '1.1.1.1', '1.1.1.1'],
    ['several proxies', '1.1.1.1, 10.2.2.2,192.168.1.1 , 2001:db8:5::9', '1.1.1.1'],
    ['a forged entry to the left', '9.9.9.9, 1.1.1.1, 10.2.2.2', '1.1.1.1'],
    ['a forged trusted entry to the left', '10.9.9.9, 1.1.1.1', '1.1.1.1'],
    ['only trusted addresses', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['a port', '1.1.1.1:4711', '1.1.1.1'],
    ['brackets', '[2001:DB8::1]', '2001:db8::1'],
    ['brackets and a port', '[2001:db8:0:0::1]:4711', '2001:db8::1'],
    ['IPv4 inside IPv6', '::ffff:1.1.1.1, ::FFFF:a02:202', '1.1.1.1'],
    ['a zone', 'fe80::1%eth0', 'fe80::1'],
    ['a malformed entry', '1.1.1.1, nonsense, 10.2.2.2', '10.2.2.2'],
    ['an empty entry', '1.1.1.1,, 10.2.2.2', '10.2.2.2'],
    ['an unknown client', 'unknown', '10.0.0.1'],
    ['no digits that fit', '1.1.1.999', '10.0.0.1'],
    ['an empty header', '', '10.0.0.1'],
  ])('%s in X-Forwarded-For', (_, header, expected) => {
    expect(client('10.0.0.1', { 'x-forwarded-for': header })).toBe(expected)
  })

  test.each([
    ['one proxy', 'for=1.1.1.1', '1.1.1.1'],
    ['a quoted address with a port', 'For="[2001:db8::1]:4711"; Proto=https', '2001:db8::1'],
    ['several proxies', 'for=9.9.9.9, for=1.1.1.1;by=10.2.2.2, for=10.2.2.2', '1.1.1.1'],
    ['a hidden client', 'for=1.1.1.1, for=_hidden, for=10.2.2.2', '10.2.2.2'],
    ['a parameter said twice', 'for=1.1.1.1;for=2.2.2.2', '10.0.0.1'],
    ['a quotation mark left open by the client', 'for="9.9.9.9, for=1.1.1.1', '1.1.1.1'],
    ['a quotation mark that would swallow the next', 'for="x, for="1.1.1.1"', '1.1.1.1'],
  ])('%s in Forwarded', (_, header, expected) => {
    expect(client('10.0.0.1', { forwarded: header })).toBe(expected)
  })

  test('comes from X-Forwarded-For when the proxy passed a Forwarded of the client through', () => {
    const headers = { forwarded: 'for=9.9.9.9;proto=https;host=evil.example', 'x-forwarded-for': '1.1.1.1' }
    expect(through(headers)).toEqual({
      clientAddress: '1.1.1.1',
      secure: false,
      host: 'inner:8080',
      origin: 'http://inner:8080',
    })
  })

  test('is the same however the proxy connects', () => {
    for (const peer of ['::ffff:10.0.0.1', '::1', '127.8.8.8', '::ffff:127.0.0.1', '2001:0DB8:5::1']) {
      expect(client(peer, { 'x-forwarded-for': '1.1.1.1' })).toBe('1.1.1.1')
    }
  })

  const spelt = {
    trusted: fc.oneof(
      fc.nat(2 ** 24 - 1).map((n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`),
      fc.constant('::1'),
    ),
    stranger: fc.oneof(
      fc.ipV4().filter((ip) => !/^(10|127)\.|^192\.168\.1\.1$/.test(ip)),
      fc.constant('2001:db8:6::1'),
    ),
    forged: fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.constantFrom('10.1.1.1', 'for="', '"', ',', ';', '\\')), {
      maxLength: 5,
    }),
  }

  test('is never one that a client forged to the left of its own address', () => {
    const { trusted, stranger, forged } = spelt
    const holds = (left: string[], own: string, right: string[]) => {
      expect(client('10.0.0.1', { 'x-forwarded-for': [...left, own, ...right].join(', ') })).toBe(own)
      const element = (address: string) => `for="${address.includes(':') ? `[${address}]` : address}"`
      const forwarded = [...left, ...[own, ...right].map(element)].join(', ')
      expect(client('10.0.0.1', { forwarded })).toBe(own)
    }
    fc.assert(fc.property(forged, stranger, fc.array(trusted, { maxLength: 3 }), holds))
  })

  test('is always an address, whatever the headers hold', () => {
    const holds = (value: string) => {
      expect(client('10.0.0.1', { 'x-forwarded-for': value })).toMatch(/^[\da-f.:]+$/)
      expect(client('10.0.0.1', { forwarded: value })).toMatch(/^[\da-f.:]+$/)
    }
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.ipV6()).map((all) => all.join(',')),
        ),
        holds,
      ),
    )
  })
})

describe('scheme and host behind trusted proxies', () => {
  test('are those of the nearest proxy, not those that a client put before them', () => {
    const headers = { 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.example, api.example.com' }
    expect(through(headers)).toEqual({
      clientAddress: '10.0.0.1',
      secure: true,
      host: 'api.example.com',
      origin: 'https://api.example.com',
    })
  })

  test('are those of the hop that saw the client if Forwarded has them for each', () => {
    const edge = 'for=1.1.1.1;proto=https;host="api.example.com:8443"'
    const forwarded = `for=9.9.9.9;proto=http;host=evil.example, ${edge}, for=10.2.2.2;proto=http;host=inner`
    expect(through({ forwarded })).toEqual({
      clientAddress: '1.1.1.1',
      secure: true,
      host: 'api.example.com:8443',
      origin: 'https://api.example.com:8443',
    })
  })

  test('can be unencrypted for the client although the connection of the proxy is encrypted', () => {
    expect(resolve('10.0.0.1', { host: 'a', 'x-forwarded-proto': 'HTTP' }, true).secure).toBe(false)
  })

  test('fall back to the connection if the proxy sends invalid values', () => {
    expect(resolve('10.0.0.1', { host: 'a', 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'b c' }, true)).toEqual({
      clientAddress: '10.0.0.1',
      secure: true,
      host: 'a',
      origin: 'https://a',
    })
  })
})

describe('settings', () => {
  test('the public address determines links, and does not affect the client', () => {
    const named = createForwarded({ trustedProxies: ['loopback'], publicUrl: 'https://api.example.com/base' })
    const headers = { host: 'inner', 'x-forwarded-for': '1.1.1.1', 'x-forwarded-proto': 'http' }
    expect(named('127.0.0.1', headers, false)).toEqual({
      clientAddress: '1.1.1.1',
      secure: true,
      host: 'api.example.com',
      origin: 'https://api.example.com',
    })
  })

  test('a range may be written with any of its addresses, or as IPv4 inside IPv6', () => {
    for (const entry of ['10.9.9.9/8', '::ffff:10.0.0.0/104', '::ffff:10.0.0.1', '0.0.0.0/0']) {
      const caller = createForwarded({ trustedProxies: [entry] })('10.0.0.1', { 'x-forwarded-for': '::5' }, false)
      expect(caller.clientAddress, entry).toBe('::5')
    }
  })

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '::/129',
    '::ffff:1.2.3.4/90',
    '1.2.3.4/8/8',
    '1.2.3.4/-1',
    '',
    'lo',
  ])('the proxy %j is refused by name', (entry) => {
    expect(() => createForwarded({ trustedProxies: ['10.0.0.1', entry] })).toThrow(
      `HELIX_TRUSTED_PROXIES: '${entry}' is not an IP address`,
    )
  })

  test.each(['api.example.com', 'ftp://example.com', ''])('the public address %j is refused by name', (publicUrl) => {
    expect(() => createForwarded({ trustedProxies: [], publicUrl })).toThrow(`HELIX_PUBLIC_URL: '${publicUrl}' is not`)
  })
})
