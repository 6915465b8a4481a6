/** Secrets that have to be read again, such as that of a TOTP code, locked with a key that is not in the database. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Seal {
  close(secret: Uint8Array, context: string): string
  /** Null when it was locked with another key or for another context, or was changed. */
  open(sealed: string, context: string): Buffer | null
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** `context` names whose secret it is: moved to another row it cannot be opened. */
export const createSeal = (key: Uint8Array): Seal => ({
  close(secret, context) {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context))
    const locked = Buffer.concat([cipher.update(secret), cipher.final()])
    return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), locked]).toString('base64url')}`
  },
  open(sealed, context) {
    const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
    const nonce = bytes.subarray(0, nonceBytes)
    const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
    try {
      const cipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([cipher.update(bytes.subarray(nonceBytes + tagBytes)), cipher.final()])
    } catch {
      return null
    }
  },
})
