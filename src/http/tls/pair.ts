import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { errorCode, errorMessage } from '../../base/caught-error.ts'
import { OperatorError } from '../../base/operator-error.ts'

export type CertificatePaths = { certPath: string; keyPath: string }
export type PairBytes = { cert: Buffer; key: Buffer }

/** A usable pair; `cert` is the complete chain as it was read. */
export type CertificatePair = PairBytes & {
  notAfter: Date
  subject: string
  /** SHA-256 of the leaf, as `X509Certificate.fingerprint256` writes it. */
  fingerprint: string
  /** Problems that do not make the pair unusable, a line each. */
  warnings: string[]
}

/** The pair is unusable. The message is one line that names the setting and the file. */
class CertificateError extends OperatorError {
  override readonly name = 'CertificateError'
}

const certSetting = 'HELIX_TLS_CERT'
const keySetting = 'HELIX_TLS_KEY'

export const readPair = async ({ certPath, keyPath }: CertificatePaths): Promise<PairBytes> => ({
  cert: await read(certSetting, certPath),
  key: await read(keySetting, keyPath),
})

/** `now` in milliseconds since 1970. */
export const checkPair = (bytes: PairBytes, paths: CertificatePaths, now: number): CertificatePair => {
  const { certPath, keyPath } = paths
  const chain = parseChain(bytes.cert.toString('latin1'), certPath)
  const key = parseKey(bytes.key.toString('latin1'), keyPath)
  const [leaf] = chain
  if (!leaf.checkPrivateKey(key)) {
    const other = chain.findIndex((certificate) => certificate.checkPrivateKey(key))
    const hint =
      other < 0 ? '' : `; it matches certificate ${other + 1} in that file, but the server certificate must come first`
    throw new CertificateError(
      `${keySetting}: the key in ${keyPath} does not match the certificate in ${certPath}${hint}`,
    )
  }
  try {
    createSecureContext(bytes)
  } catch (error) {
    throw new CertificateError(`${certSetting}: ${certPath} cannot be used for TLS (${oneLine(error)})`, {
      cause: error,
    })
  }
  return {
    ...bytes,
    notAfter: leaf.validToDate,
    subject: leaf.subject?.replaceAll('\n', ', ') ?? '',
    fingerprint: leaf.fingerprint256,
    warnings: lifetimeWarnings(leaf, certPath, now),
  }
}

const read = async (setting: string, path: string): Promise<Buffer> => {
  try {
    return await readFile(path)
  } catch (error) {
    throw new CertificateError(`${setting}: cannot read ${path} (${readReason(error)})`, { cause: error })
  }
}

const readReason = (error: unknown): string => {
  const code = errorCode(error)
  const reasons: Record<string, string> = {
    ENOENT: 'no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a directory',
  }
  return reasons[code] ?? oneLine(error)
}

const parseChain = (text: string, path: string): [X509Certificate, ...X509Certificate[]] => {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  const opened = text.match(/-----BEGIN CERTIFICATE-----/g)?.length ?? 0
  if (opened === 0) {
    const hint = text.includes('PRIVATE KEY-----')
      ? `; it contains a private key. Is it swapped with ${keySetting}?`
      : ''
    throw new CertificateError(`${certSetting}: ${path} is not a PEM certificate${hint}`)
  }
  const [leaf, ...others] = Array.from({ length: opened }, (_, at) => parseCertificate(blocks[at], at, opened, path))
  if (leaf === undefined) throw new CertificateError(`${certSetting}: ${path} is not a PEM certificate`)
  return [leaf, ...others]
}

const parseCertificate = (block: string | undefined, at: number, count: number, path: string): X509Certificate => {
  const which = count === 1 ? 'the certificate' : `certificate ${at + 1} of ${count}`
  if (block === undefined) throw new CertificateError(`${certSetting}: ${which} in ${path} is truncated`)
  try {
    return new X509Certificate(block)
  } catch (error) {
    throw new CertificateError(`${certSetting}: ${which} in ${path} is damaged`, { cause: error })
  }
}

const parseKey = (text: string, path: string): KeyObject => {
  const [block] = text.match(/-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]*?-----END \1PRIVATE KEY-----/) ?? []
  if (block === undefined) {
    const hint = text.includes('BEGIN CERTIFICATE')
      ? `; it contains a certificate. Is it swapped with ${certSetting}?`
      : ''
    const cut = text.includes('PRIVATE KEY-----') ? 'is truncated' : 'is not a PEM private key'
    throw new CertificateError(`${keySetting}: ${path} ${cut}${hint}`)
  }
  if (block.includes('ENCRYPTED')) {
    throw new CertificateError(
      `${keySetting}: ${path} is encrypted, and the server cannot prompt for a passphrase; decrypt it with 'openssl pkey -in … -out …'`,
    )
  }
  const key = keyObject(block, path)
  if (!canServe(key)) {
    const { namedCurve } = key.asymmetricKeyDetails ?? {}
    const kind = [key.asymmetricKeyType, namedCurve].filter((part) => part !== undefined).join(' ')
    throw new CertificateError(
      `${keySetting}: ${path} contains a key of type ${kind}; use RSA or EC (P-256, P-384, P-521)`,
    )
  }
  return key
}

const keyObject = (block: string, path: string): KeyObject => {
  try {
    return createPrivateKey(block)
  } catch (error) {
    throw new CertificateError(`${keySetting}: the key in ${path} is damaged`, { cause: error })
  }
}

/** Others can be parsed, but no TLS 1.3 client supports a signature with them. */
const canServe = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean => {
  if (asymmetricKeyType !== 'ec') return ['rsa', 'rsa-pss', 'ed25519'].includes(asymmetricKeyType ?? '')
  return ['prime256v1', 'secp384r1', 'secp521r1'].includes(asymmetricKeyDetails?.namedCurve ?? '')
}

const lifetimeWarnings = (leaf: X509Certificate, path: string, now: number): string[] => {
  const day = (date: Date) => date.toISOString().slice(0, 10)
  if (leaf.validToDate.getTime() < now) {
    return [`${certSetting}: the certificate in ${path} expired on ${day(leaf.validToDate)}`]
  }
  if (leaf.validFromDate.getTime() > now) {
    return [`${certSetting}: the certificate in ${path} is not valid before ${day(leaf.validFromDate)}`]
  }
  return []
}

const oneLine = (error: unknown): string => errorMessage(error).replace(/\s+/g, ' ').trim()
