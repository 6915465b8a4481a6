import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkServerIdentity } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSelfSigned, ensureSelfSigned } from './self-signed.ts'

const dayMs = 86_400_000
const now = Date.UTC(2026, 10, 15, 12)

const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'helix-tls-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

describe('createSelfSigned', () => {
  test('creates a certificate that is valid for this machine and cannot sign others', () => {
    const { certPem, keyPem } = createSelfSigned({ now })
    const certificate = new X509Certificate(certPem)
    expect(certificate.subject).toBe('CN=localhost')
    expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    expect(certificate.ca).toBe(false)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkPrivateKey(createPrivateKey(keyPem))).toBe(true)
    expect(certificate.validFromDate.getTime()).toBe(now - dayMs)
    expect(certificate.validToDate.getTime() - certificate.validFromDate.getTime()).toBe(825 * dayMs)
  })

  test('never gives two certificates the same serial number or key', () => {
    const [first, second] = [createSelfSigned({ now }), createSelfSigned({ now })]
    expect(new X509Certificate(first.certPem).serialNumber).not.toBe(new X509Certificate(second.certPem).serialNumber)
    expect(first.keyPem).not.toBe(second.keyPem)
  })

  test('is trusted by a client that was given the file, and only under its names', async () => {
    const { certPem, keyPem } = createSelfSigned({ now: Date.now() })
    const server = createServer({ cert: certPem, key: keyPem }, (_, response) => response.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const status = (host: string, ca: string | undefined, servername?: string) =>
      new Promise((resolve) => {
        get({ host, port, ca, servername, agent: false }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).on('error', (error) => resolve('code' in error ? error.code : error))
      })
    expect(await status('localhost', certPem)).toBe(200)
    expect(await status('127.0.0.1', certPem)).toBe(200)
    expect(await status('127.0.0.1', certPem, 'example.com')).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(await status('localhost', undefined)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  })

  test('covers further hosts', () => {
    const host = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain())
    const serves = (hosts: string[]) => {
      const certificate = new X509Certificate(createSelfSigned({ hosts, now }).certPem).toLegacyObject()
      for (const name of ['localhost', '127.0.0.1', '::1', ...hosts]) {
        expect(checkServerIdentity(name, certificate), name).toBeUndefined()
      }
    }
    fc.assert(fc.property(fc.array(host, { maxLength: 4 }), serves), { numRuns: 60 })
  })

  test('accepts brackets, zones, capitals and other alphabets', () => {
    const hosts = ['[FE80::1%eth0]', 'Büro.example', 'localhost', '0:0:0:0:0:0:0:1']
    expect(new X509Certificate(createSelfSigned({ hosts, now }).certPem).subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:FE80:0:0:0:0:0:0:1, DNS:xn--bro-hoa.example',
    )
  })

  test.each(['', 'two words', 'http://localhost', 'a..b', '*.example.com'])('refuses %j as a host', (host) => {
    expect(() => createSelfSigned({ hosts: [host], now })).toThrow(`'${host}' is not a host name or IP address`)
  })
})

describe('ensureSelfSigned', () => {
  test('keeps one pair from start to start, the key readable by its owner only', async () => {
    const directory = join(newDirectory(), 'tls')
    const first = await ensureSelfSigned(directory, { now })
    expect(first).toEqual({
      certPath: join(directory, 'self-signed.crt'),
      keyPath: join(directory, 'self-signed.key'),
      created: true,
    })
    const certPem = readFileSync(first.certPath, 'utf8')
    expect(statSync(first.keyPath).mode & 0o777).toBe(0o600)

    chmodSync(first.keyPath, 0o644)
    const second = await ensureSelfSigned(directory, { now: now + 800 * dayMs })
    expect(second.created).toBe(false)
    expect(readFileSync(second.certPath, 'utf8')).toBe(certPem)
    expect(statSync(second.keyPath).mode & 0o777).toBe(0o600)
  })

  test('creates a new pair in the last week of the old one', async () => {
    const directory = newDirectory()
    await ensureSelfSigned(directory, { now })
    const lastDay = now + 824 * dayMs
    expect((await ensureSelfSigned(directory, { now: lastDay - 7 * dayMs })).created).toBe(false)
    expect((await ensureSelfSigned(directory, { now: lastDay - 7 * dayMs + 1000 })).created).toBe(true)
  })

  test('creates a new pair for a host that the old one does not cover', async () => {
    const directory = newDirectory()
    await ensureSelfSigned(directory, { now })
    const hosts = ['192.168.1.20', 'box.lan']
    expect((await ensureSelfSigned(directory, { hosts, now })).created).toBe(true)
    expect((await ensureSelfSigned(directory, { hosts, now })).created).toBe(false)
    expect((await ensureSelfSigned(directory, { now })).created).toBe(false)
  })

  test.each(['self-signed.crt', 'self-signed.key'])('replaces a damaged or foreign %s', async (name) => {
    const directory = newDirectory()
    await ensureSelfSigned(directory, { now })
    writeFileSync(join(directory, name), 'half a fi')
    expect((await ensureSelfSigned(directory, { now })).created).toBe(true)

    const stranger = createSelfSigned({ now })
    writeFileSync(join(directory, name), name.endsWith('.crt') ? stranger.certPem : stranger.keyPem)
    expect((await ensureSelfSigned(directory, { now })).created).toBe(true)
    expect((await ensureSelfSigned(directory, { now })).created).toBe(false)
  })
})
