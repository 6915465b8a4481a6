import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCertificate } from './certificate.ts'
import { der } from './der.ts'
import { createSelfSigned } from './self-signed.ts'

const now = Date.UTC(2026, 10, 15, 12)
const dayMs = 86_400_000
let directory = ''

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'helix-pair-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Writes both files and loads them. */
const load = (certPem: string | Buffer, keyPem: string | Buffer) => {
  const paths = { certPath: join(directory, 'tls.crt'), keyPath: join(directory, 'tls.key') }
  writeFileSync(paths.certPath, certPem)
  writeFileSync(paths.keyPath, keyPem)
  return loadCertificate({ ...paths, now })
}

/** The least a certificate can be, for keys of any type. */
const certify = ({ publicKey, privateKey }: KeyPairKeyObjectResult, algorithmOid: string): string => {
  const algorithm = der.sequence(der.oid(algorithmOid))
  const name = der.sequence(der.set(der.sequence(der.oid('2.5.4.3'), der.utf8('api.example.com'))))
  const validity = der.sequence(der.time(now - dayMs), der.time(now + dayMs))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const body = der.sequence(der.integer(Buffer.of(1)), algorithm, name, validity, name, spki)
  const bytes = der.sequence(body, algorithm, der.bits(sign('sha256', body, privateKey)))
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`
}
const rsaSha256 = '1.2.840.113549.1.1.11'
const ecdsaSha256 = '1.2.840.10045.4.3.2'
const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1') => key.export({ type, format: 'pem' }).toString()

describe('a usable pair', () => {
  test('is returned with its subject, fingerprint and expiry', async () => {
    const { certPem, keyPem } = createSelfSigned({ now })
    const pair = await load(certPem, keyPem)
    expect(pair.cert.toString()).toBe(certPem)
    expect(pair.key.toString()).toBe(keyPem)
    expect(pair.subject).toBe('CN=localhost')
    expect(pair.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    expect(pair.notAfter).toEqual(new Date(now + 824 * dayMs))
    expect(pair.warnings).toEqual([])
  })

  test('may have an RSA key in either of its PEM forms', async () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const certPem = certify(keys, rsaSha256)
    expect((await load(certPem, pem(keys.privateKey, 'pkcs1'))).subject).toBe('CN=api.example.com')
    expect((await load(certPem, pem(keys.privateKey, 'pkcs8'))).subject).toBe('CN=api.example.com')
  })

  test('may have an EC key, even after the parameters that openssl writes before it', async () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'secp384r1' })
    const parameters = '-----BEGIN EC PARAMETERS-----\nBgUrgQQAIg==\n-----END EC PARAMETERS-----\n'
    const pair = await load(certify(keys, ecdsaSha256), parameters + pem(keys.privateKey, 'sec1'))
    expect(pair.subject).toBe('CN=api.example.com')
  })

  test('may be a chain, with text between the certificates, or one file for both', async () => {
    const [leaf, intermediate] = [createSelfSigned({ now }), createSelfSigned({ now })]
    const chain = `subject=leaf\n${leaf.certPem}subject=intermediate\n${intermediate.certPem}`
    expect((await load(chain, leaf.keyPem)).cert.toString()).toBe(chain)
    const both = leaf.keyPem + leaf.certPem
    expect((await load(both, both)).subject).toBe('CN=localhost')
  })

  test('is accepted with a warning when it has expired or is not valid yet', async () => {
    const old = createSelfSigned({ now: now - 900 * dayMs })
    const [expired] = (await load(old.certPem, old.keyPem)).warnings
    expect(expired).toMatch(/^HELIX_TLS_CERT: the certificate in .*tls\.crt expired on 2026-08-31$/)
    const early = createSelfSigned({ now: now + 30 * dayMs })
    const [future] = (await load(early.certPem, early.keyPem)).warnings
    expect(future).toMatch(/^HELIX_TLS_CERT: the certificate in .*tls\.crt is not valid before 2026-12-14$/)
  })
})

describe('an unusable pair is refused with one line that says why', () => {
  const { certPem, keyPem } = createSelfSigned({ now })
  const stranger = createSelfSigned({ now })
  const half = (text: string) => text.slice(0, text.length / 2)
  const damaged = (text: string) => text.replace(/\n(.{20})/, '\nAAAAAAAAAAAAAAAAAAAA')
  const encrypted = (type: 'pkcs8' | 'sec1') =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
      .toString()
  const koblitz = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const weak = generateKeyPairSync('rsa', { modulusLength: 512 })

  test.each([
    ['a text file', 'hello', keyPem, /^HELIX_TLS_CERT: \S+tls\.crt is not a PEM certificate$/],
    ['an empty file', '', keyPem, /^HELIX_TLS_CERT: \S+tls\.crt is not a PEM certificate$/],
    ['a DER file', Buffer.from([0x30, 0x82, 0x01, 0x0a]), keyPem, /^HELIX_TLS_CERT: .* is not a PEM certificate$/],
    [
      'swapped files',
      keyPem,
      certPem,
      /^HELIX_TLS_CERT: .*; it contains a private key\. Is it swapped with HELIX_TLS_KEY\?$/,
    ],
    ['half a certificate', half(certPem), keyPem, /^HELIX_TLS_CERT: the certificate in \S+tls\.crt is truncated$/],
    ['half a chain', certPem + half(certPem), keyPem, /^HELIX_TLS_CERT: certificate 2 of 2 in \S+ is truncated$/],
    ['a damaged certificate', damaged(certPem), keyPem, /^HELIX_TLS_CERT: the certificate in \S+tls\.crt is damaged$/],
    ['no key', certPem, 'hello', /^HELIX_TLS_KEY: \S+tls\.key is not a PEM private key$/],
    ['a certificate as key', certPem, certPem, /^HELIX_TLS_KEY: .* Is it swapped with HELIX_TLS_CERT\?$/],
    ['half a key', certPem, half(keyPem), /^HELIX_TLS_KEY: \S+tls\.key is truncated$/],
    ['a damaged key', certPem, damaged(keyPem), /^HELIX_TLS_KEY: the key in \S+tls\.key is damaged$/],
    ['an encrypted key', certPem, encrypted('pkcs8'), /^HELIX_TLS_KEY: \S+tls\.key is encrypted, .*openssl pkey/],
    ['an old encrypted key', certPem, encrypted('sec1'), /^HELIX_TLS_KEY: \S+tls\.key is encrypted, .*openssl pkey/],
    [
      'a foreign key',
      certPem,
      stranger.keyPem,
      /^HELIX_TLS_KEY: the key in \S+ does not match the certificate in \S+$/,
    ],
    [
      'a chain in the wrong order',
      stranger.certPem + certPem,
      keyPem,
      /does not match .*; it matches certificate 2 in that file, but the server certificate must come first$/,
    ],
    [
      'a curve TLS does not have',
      certify(koblitz, ecdsaSha256),
      pem(koblitz.privateKey, 'pkcs8'),
      /^HELIX_TLS_KEY: \S+ contains a key of type ec secp256k1; use RSA or EC \(P-256, P-384, P-521\)$/,
    ],
    [
      'a key too short for TLS',
      certify(weak, rsaSha256),
      pem(weak.privateKey, 'pkcs8'),
      /^HELIX_TLS_CERT: \S+tls\.crt cannot be used for TLS \(.*too small.*\)$/,
    ],
  ])('%s', async (_, cert, key, line) => {
    const error = await load(cert, key).catch((reason: Error) => reason)
    expect(error).toMatchObject({ name: 'CertificateError', message: expect.stringMatching(line) })
    expect(error).toMatchObject({ message: expect.not.stringContaining('\n') })
  })

  test('a missing file, and a directory instead of a file', async () => {
    await load(certPem, keyPem)
    const certPath = join(directory, 'tls.crt')
    const missing = join(directory, 'missing.key')
    await expect(loadCertificate({ certPath, keyPath: missing, now })).rejects.toThrow(
      `HELIX_TLS_KEY: cannot read ${missing} (no such file)`,
    )
    mkdirSync(join(directory, 'folder'))
    await expect(loadCertificate({ certPath: join(directory, 'folder'), keyPath: missing, now })).rejects.toThrow(
      `HELIX_TLS_CERT: cannot read ${join(directory, 'folder')} (it is a directory)`,
    )
  })
})
