/**
 * A self-signed certificate for trying HTTPS on your own machine. Clients trust it if they are given the file (Node `ca`,
 * `curl --cacert`, Python `verify=`, a Go or Java pool); it is not meant for a public service.
 */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AltName, altName } from './alt-name.ts'
import { der } from './der.ts'

const dayMs = 86_400_000
/** The longest lifetime that Apple's verifiers accept for a certificate that the user trusts manually. */
const lifetimeMs = 825 * dayMs
const renewBeforeMs = 7 * dayMs
const ownHosts = ['localhost', '127.0.0.1', '::1']

export type SelfSignedOptions = {
  /** Names and addresses beyond localhost, 127.0.0.1 and ::1. */
  hosts?: readonly string[]
  /** Milliseconds since 1970. */
  now: number
  /** The same; by default the longest lifetime that all clients accept. */
  validUntil?: number
}
export type SelfSigned = { certPem: string; keyPem: string }
export type SelfSignedFiles = { certPath: string; keyPath: string; created: boolean }

export const createSelfSigned = ({ hosts = [], now, validUntil }: SelfSignedOptions): SelfSigned => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der.sequence(der.oid('1.2.840.10045.4.3.2')) // ecdsa-with-SHA256
  const name = der.sequence(der.set(der.sequence(der.oid('2.5.4.3'), der.utf8('localhost'))))
  // A day ago, for clients whose clock is behind.
  const notBefore = now - dayMs
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))), // X.509 v3
    der.integer(serialNumber()),
    algorithm,
    name,
    der.sequence(der.time(notBefore), der.time(validUntil ?? notBefore + lifetimeMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, extensions(publicKey, altNames(hosts))),
  )
  const certificate = der.sequence(body, algorithm, der.bits(sign('sha256', body, privateKey)))
  const base64 = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    certPem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Keeps one pair in `directory`, so that clients which trust it still do after a restart. */
export const ensureSelfSigned = async (directory: string, options: SelfSignedOptions): Promise<SelfSignedFiles> => {
  const certPath = join(directory, 'self-signed.crt')
  const keyPath = join(directory, 'self-signed.key')
  if (await serves(certPath, keyPath, options)) {
    await chmod(keyPath, 0o600)
    return { certPath, keyPath, created: false }
  }
  const { certPem, keyPem } = createSelfSigned(options)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await replaceFile(keyPath, keyPem, 0o600)
  await replaceFile(certPath, certPem, 0o644)
  return { certPath, keyPath, created: true }
}

/** Positive and without a leading zero byte: the top bit clear, the next one set. */
const serialNumber = (): Buffer => {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
  return bytes
}

const altNames = (hosts: readonly string[]): AltName[] => {
  const names = [...ownHosts, ...hosts].map(altName)
  return [...new Map(names.map((name) => [altNameDer(name).toString('hex'), name])).values()]
}

const altNameDer = (name: AltName): Buffer =>
  name.kind === 'ip' ? der.implicit(7, name.bytes) : der.implicit(2, Buffer.from(name.text, 'ascii'))

/**
 * Not a certificate authority: every client tried accepts the file as its own root either way, rustls refuses a server
 * that shows a CA certificate, and a leaked key must not be able to sign for other sites.
 */
const extensions = (publicKey: KeyObject, names: AltName[]): Buffer => {
  const extension = (oid: string, critical: boolean, value: Buffer): Buffer =>
    der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octets(value))
  const digitalSignature = der.bits(Buffer.of(0x80), 7)
  const serverAuth = der.oid('1.3.6.1.5.5.7.3.1')
  return der.sequence(
    extension('2.5.29.19', true, der.sequence()),
    extension('2.5.29.15', true, digitalSignature),
    extension('2.5.29.37', false, der.sequence(serverAuth)),
    extension('2.5.29.17', false, der.sequence(...names.map(altNameDer))),
    extension('2.5.29.14', false, der.octets(keyIdentifier(publicKey))),
  )
}

/** RFC 7093 §2, method 1: 160 bits of the SHA-256 of the key's own bits, the last 65 bytes of a P-256 key. */
const keyIdentifier = (publicKey: KeyObject): Buffer => {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65)
  return createHash('sha256').update(point).digest().subarray(0, 20)
}

const serves = async (certPath: string, keyPath: string, { hosts = [], now }: SelfSignedOptions): Promise<boolean> => {
  const names = altNames(hosts)
  try {
    const certificate = new X509Certificate(await readFile(certPath))
    const key = createPrivateKey(await readFile(keyPath))
    const valid = certificate.validFromDate.getTime() <= now
    const lasts = certificate.validToDate.getTime() - now >= renewBeforeMs
    return valid && lasts && certificate.checkPrivateKey(key) && names.every((name) => covers(certificate, name))
  } catch {
    // Missing, damaged or incomplete: a new pair replaces it.
    return false
  }
}

const covers = (certificate: X509Certificate, { kind, text }: AltName): boolean =>
  (kind === 'ip' ? certificate.checkIP(text) : certificate.checkHost(text, { subject: 'never' })) !== undefined

/** By rename, so that it is never read incompletely and has its mode from the first byte. */
const replaceFile = async (path: string, content: string, mode: number): Promise<void> => {
  const temporary = `${path}.${process.pid}.tmp`
  await rm(temporary, { force: true })
  await writeFile(temporary, content, { mode, flag: 'wx' })
  await rename(temporary, path)
}
