import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { createForwarded } from '../../src/http/forwarded.ts'
import { loopbackName } from '../../src/http/loopback-name.ts'
import { startHelix } from '../harness/start-helix.ts'

const publicUrl = 'https://chat.example.com'

const send = async ({ url }: { url: string }, head: string): Promise<string> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`${head}\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

test('a request for another host than the public one is refused, unless it is a health probe', async () => {
  const helix = await startHelix({ config: { publicUrl } })
  const ask = (host: string, path: string): Promise<string> => send(helix, `GET ${path} HTTP/1.1\r\nHost: ${host}`)
  const refused = await ask('rebound.example.net', '/v1/models')
  expect(refused).toMatch(/^HTTP\/1.1 421 /)
  expect(refused).toContain('"code":"misdirected_request"')
  const asAnthropic = await ask('rebound.example.net', '/v1/messages/unknown')
  expect(asAnthropic).toMatch(/^HTTP\/1.1 421 /)
  expect(asAnthropic).toContain('{"type":"error","error":{"type":')
  // Without a key.
  for (const host of ['chat.example.com', 'CHAT.example.com:8443', 'localhost:1', '127.0.0.1', '[::1]'])
    expect(await ask(host, '/v1/models')).toMatch(/^HTTP\/1.1 401 /)
  for (const path of ['/healthz', '/readyz']) expect(await ask('10.0.0.1:8080', path)).toMatch(/^HTTP\/1.1 200 /)
})

const evilHost = 'rebound.example.net'

test('without a public address, the pages of a server on a loopback address open under its own names only', async () => {
  const helix = await startHelix()
  const ask = (host: string, path: string): Promise<string> => send(helix, `GET ${path} HTTP/1.1\r\nHost: ${host}`)
  for (const path of ['/', '/sign-up', '/platform/session', '/assets/app.js', '/nothing']) {
    const refused = await ask(evilHost, path)
    expect(refused).toMatch(/^HTTP\/1.1 421 /)
    expect(refused).toContain('"code":"misdirected_request"')
    expect(refused).toContain('HELIX_PUBLIC_URL')
  }
  const names = [
    'localhost',
    'LocalHost:5173',
    'localhost.',
    'console.localhost:8080',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:8080',
  ]
  for (const host of names) expect(await ask(host, '/platform/session')).not.toMatch(/^HTTP\/1.1 421 /)
  for (const host of [
    '127.0.0.1.example.net',
    'localhost.example.net',
    'notlocalhost',
    '10.0.0.1',
    '[::2]:8080',
    'a b',
  ])
    expect(await ask(host, '/platform/session')).toMatch(/^HTTP\/1.1 421 /)
  expect(await send(helix, 'GET /platform/session HTTP/1.0')).not.toMatch(/^HTTP\/1.1 421 /)
})

test('API and health checks are served under any name if no public address is set', async () => {
  const helix = await startHelix()
  const ask = (path: string): Promise<string> => send(helix, `GET ${path} HTTP/1.1\r\nHost: ${evilHost}`)
  // Without a key.
  for (const path of ['/v1/models', '/metrics', '/tokenizer_info']) expect(await ask(path)).toMatch(/^HTTP\/1.1 401 /)
  for (const path of ['/healthz', '/readyz', '/v1/openapi.json']) expect(await ask(path)).toMatch(/^HTTP\/1.1 200 /)
})

test('forwarded headers, which a page can write for its own host, open no pages', () => {
  const peer = '127.0.0.1'
  const locate = createForwarded({ trustedProxies: ['loopback'], host: peer })
  const other = (headers: Record<string, string>) => locate(peer, headers, false).otherSiteHost
  expect(other({ host: evilHost, 'x-forwarded-host': 'localhost' })).toBe(evilHost)
  expect(other({ host: '127.0.0.1:8080', 'x-forwarded-host': 'chat.example.com' })).toBe('chat.example.com')
  expect(other({ host: '127.0.0.1:8080', 'x-forwarded-host': 'localhost' })).toBeUndefined()
  for (const host of ['0.0.0.0', '192.0.2.1'])
    expect(createForwarded({ trustedProxies: [], host })(peer, { host: evilHost }, false).otherSiteHost).toBeUndefined()
})

test('loopback names are for this machine only, and a trusted proxy may name its target', () => {
  const locate = createForwarded({ publicUrl, trustedProxies: ['10.0.0.1'] })
  const otherHost = (peer: string, headers: Record<string, string>) => locate(peer, headers, false).otherHost
  expect(otherHost('203.0.113.9', { host: 'localhost' })).toBe('localhost')
  expect(otherHost('10.0.0.1', { host: 'backend:8080' })).toBeUndefined()
  expect(otherHost('10.0.0.1', { host: 'backend', 'x-forwarded-host': 'rebound.example.net' })).toBe(
    'rebound.example.net',
  )
  expect(otherHost('10.0.0.1', { host: 'backend', 'x-forwarded-host': 'chat.example.com' })).toBeUndefined()
})

test('a public URL with a path is refused, because nothing is served below it', () => {
  const environment = { HELIX_PUBLIC_URL: 'https://example.com/chat' }
  expect(() => loadConfig({ flags: {}, environment, configFile: null })).toThrow(/without a path/)
})

test('links of a server that listens on all addresses lead somewhere', async () => {
  for (const host of ['0.0.0.0', '::', '0:0:0:0:0:0:0:0']) expect(await loopbackName(host, 80)).toMatch(/[a-z1-9]/)
  expect(await loopbackName('192.0.2.1', 80)).toBe('192.0.2.1')
})
