/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
/** As long as the hash, as RFC 4226 §4 recommends. */
const secretBytes = 20
/** Clocks may differ, so the previous and the next code are accepted too. */
const skewSteps = 1

export const newTotpSecret = (): Buffer => randomBytes(secretBytes)

export const totpStep = (now: number): number => Math.floor(now / stepMs)

/** RFC 4226 §5.3: the HMAC's last four bits select the four bytes that form the number. */
export const totpCode = (secret: Uint8Array, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * The step that the code belongs to; null when it is not a current code, or its step is not after `lastStep`: a code that
 * somebody observed cannot be used again.
 */
export const findTotpStep = (secret: Uint8Array, code: string, now: number, lastStep: number): number | null => {
  const sent = Buffer.from(code)
  const current = totpStep(now)
  let found: number | null = null
  for (let step = current - skewSteps; step <= current + skewSteps; step += 1) {
    const expected = Buffer.from(totpCode(secret, step))
    const matches = sent.length === expected.length && timingSafeEqual(sent, expected)
    if (matches && step > lastStep) found = step
  }
  return found
}

/** The content of the QR code: `otpauth://totp/Helix:ann%40example.com?secret=…`. */
export const totpAddress = (secret: Uint8Array, email: string, host: string): string => {
  const issuer = `Helix (${host})`
  const query = new URLSearchParams({ secret: toBase32(secret), issuer, algorithm: 'SHA1', digits: '6', period: '30' })
  // Some apps display the plus sign that URLSearchParams writes for a space.
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query.toString().replaceAll('+', '%20')}`
}

/** RFC 4648 without padding, which every authenticator app accepts. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const toBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
